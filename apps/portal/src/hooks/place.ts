/** What the browser keeps with each step of its history: how many rows a listing had, and how far down the window was. */
interface Place {
  readonly key?: string;
  readonly rows?: number;
  readonly scroll?: number;
}

export const placeBefore = (): Place => (history.state as Place | null) ?? {};
export const keepPlace = (more: Place): void => history.replaceState({ ...placeBefore(), ...more }, '');
