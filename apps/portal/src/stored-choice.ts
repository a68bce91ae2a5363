import { type Signal, signal } from '@preact/signals';

/** A person's choice on this machine, stored in the browser unless it is the usual one. Do not use it for anything private. */
export function storedChoice<T extends string>(name: string, values: readonly T[], usual: T): Signal<T> {
  const known = (stored: string | null): T => values.find((one) => one === stored) ?? usual;
  const choice = signal<T>(known(localStorage.getItem(name)));
  choice.subscribe((value) => (value === usual ? localStorage.removeItem(name) : localStorage.setItem(name, value)));
  // The choice was changed in another tab.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === name) choice.value = known(newValue);
  });
  return choice;
}
