/** The qualities that have a colour of their own; all others share one. */
const QUALITIES = ['a', 'b', 'c'] as const;
export const STAGES = ['planned', 'construction', 'operation'] as const;
const GROUND = ['water', 'land', 'coast', 'border', 'grid', 'name', 'town'] as const;
const NAMES = [...GROUND, ...STAGES, 'search', 'selected', ...QUALITIES, 'other'] as const;
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

/** The name of the colour of a quality. */
export const colourOf = (quality: string): keyof Colours => QUALITIES.find((name) => name === quality.toLowerCase()) ?? 'other';
