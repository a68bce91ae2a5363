/** State stored with each entry of the browser history: how many rows a listing had, and the scroll position. */
interface Place {
  readonly key?: string;
  readonly rows?: number;
  readonly scroll?: number;
}

export const placeBefore = (): Place => (history.state as Place | null) ?? {};
export const keepPlace = (more: Place): void => history.replaceState({ ...placeBefore(), ...more }, '');
