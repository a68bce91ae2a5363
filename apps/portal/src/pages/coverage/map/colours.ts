const NAMES = ['water', 'land', 'border', 'name', 'planned', 'construction', 'operation', 'search', 'selected'] as const;
export type Colours = Readonly<Record<(typeof NAMES)[number], string>>;

/** The current colours of the map from the style sheet: `--map-water` and so on, light or dark. */
export function coloursAt(element: Element): Colours {
  const probe = element.appendChild(document.createElement('span'));
  const colours = NAMES.map((name) => {
    probe.style.color = `var(--map-${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours) as Colours;
}
