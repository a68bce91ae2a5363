import { TOKENS } from '@fibre/client';
import { useCoverage } from '../coverage-state.js';
import { texts } from '../coverage-texts.js';
import { Stage } from '../filters-panel.js';
import { colourOf } from './style/colours.js';

/** What the marks on the map mean; always visible. */
export function MapLegend() {
  const t = texts();
  const { mayRead, drawn: search } = useCoverage();
  const drawn = [...new Set(search?.found.map(({ quality }) => quality))].filter(Boolean).sort();
  const hasMissed = (search?.missed?.length ?? 0) > 0;
  if (!mayRead && drawn.length === 0 && !hasMissed) return null;
  return (
    <ul class="actions map-note legend" aria-label={t.legend}>
      {mayRead && (
        <>
          {TOKENS.map((token) => (
            <li key={token}>
              <Stage token={token} />
            </li>
          ))}
          <li>
            <span class="dot cell" aria-hidden="true" />
            {t.legendCells}
          </li>
        </>
      )}
      {hasMissed && (
        <li>
          <span class="dot missed" aria-hidden="true" />
          {t.legendMissed}
        </li>
      )}
      {drawn.map((quality) => (
        <li key={quality}>
          <span {...qualityLook(quality)} aria-hidden="true">
            {quality}
          </span>
          {t.legendQuality(quality)}
        </li>
      ))}
    </ul>
  );
}

/** The look of a mark for a quality, with the colour that it has on the map. */
export const qualityLook = (quality: string) => ({ class: 'quality', style: { background: `var(--map-${colourOf(quality)})` } });
