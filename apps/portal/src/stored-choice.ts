import { type ReadonlySignal, signal } from '@preact/signals';

/** A person's choice on this machine, stored in the browser. Do not use it for anything private. */
export function storedChoice<T extends string>(
  name: string,
  values: readonly T[],
  unchosen: () => T,
): { choice: ReadonlySignal<T>; choose: (value: T) => void } {
  const known = (value: string | null): T | undefined => values.find((one) => one === value);
  const choice = signal<T>(known(localStorage.getItem(name)) ?? unchosen());
  // The choice was changed in another tab.
  addEventListener('storage', ({ key, newValue }) => {
    const value = known(newValue);
    if (key === name && value !== undefined) choice.value = value;
  });
  return {
    choice,
    choose: (value) => {
      choice.value = value;
      localStorage.setItem(name, value);
    },
  };
}
