import { type ReadonlySignal, signal } from '@preact/signals';

/** A person's choice on this machine, stored in the browser. Never anything private. */
export function storedChoice<T extends string>(
  name: string,
  values: readonly T[],
  unchosen: () => T,
): { choice: ReadonlySignal<T>; choose: (value: T) => void } {
  const known = (value: string | null): T | undefined => values.find((one) => one === value);
  const choice = signal<T>(known(read(name)) ?? unchosen());
  // Changed in another tab.
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

// Browsers that store nothing throw; then the choice lasts as long as the page.
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
