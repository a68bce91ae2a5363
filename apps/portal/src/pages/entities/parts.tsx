import { formatMoment } from '../../texts.js';
import { STATES, type State } from './entity.js';
import { texts } from './entity-texts.js';

const isState = (state: string): state is State => STATES.some((one) => one === state);

export function StateBadge({ state }: { state: string }) {
  return <span class={`badge ${state}`}>{isState(state) ? texts()[state] : state}</span>;
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

/** A moment to the second; exactly in the element itself. @param zone the browser's when absent */
export function Moment({ at, zone }: { at: string; zone?: string }) {
  return <time dateTime={at}>{formatMoment(at, zone)}</time>;
}
