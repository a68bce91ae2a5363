import { type ReadonlySignal, signal } from '@preact/signals';

/** A choice of this person on this machine, which outlives the page. Never anything that must not be read by others. */
export function storedChoice<T extends string>(
  name: string,
  values: readonly T[],
  unchosen: () => T,
): { choice: ReadonlySignal<T>; choose: (value: T) => void } {
  const known = (value: string | null): T | undefined => values.find((one) => one === value);
  const choice = signal<T>(known(read(name)) ?? unchosen());
  // Another tab chose.
  addEventListener('storage', ({ key, newValue }) => {
    const value = known(newValue);
    if (key === name && value !== undefined) choice.value = value;
  });
  return {
    choice,
    choose: (value) => {
      choice.value = value;
      write(name, value);
    },
  };
}

// A browser that keeps nothing throws; then the choice lasts as long as the page.
function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // As above.
  }
}
