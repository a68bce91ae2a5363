import { page } from '../../configuration.js';
import { formatMoment } from '../../texts.js';
import type { State } from './entity.js';
import { texts } from './entity-texts.js';

export function StateBadge({ state }: { state: State }) {
  return <span class={`badge ${state}`}>{texts()[state]}</span>;
}

export function EntityLink({ entity_id }: { entity_id: string }) {
  return (
    <a href={page(`entities/${entity_id}`)}>
      <code>{entity_id}</code>
    </a>
  );
}

export function Articles({ codes }: { codes: readonly string[] }) {
  return (
    <span class="articles">
      {codes.map((code, index) => (
        <code key={index}>{code}</code>
      ))}
    </span>
  );
}

/** A moment to the second; the element has the exact value. @param zone default: the browser's */
export function Moment({ at, zone }: { at: string; zone?: string }) {
  return <time dateTime={at}>{formatMoment(at, zone)}</time>;
}
