import { nameOf } from './coverage-texts.js';

/** A stage with its mark on the map. */
export function Stage({ token }: { token: string }) {
  return (
    <span class="word">
      <span class={`dot ${token}`} aria-hidden="true" />
      {nameOf(token)}
    </span>
  );
}
