import { signal } from '@preact/signals';

/** How long a message is shown, unless the person goes on before. It only repeats what the page shows anyway. */
const SHOWN_MS = 8_000;
const message = signal('');
let timer: ReturnType<typeof setTimeout>;

/** Announces what has happened, at the bottom of the window, where it hides neither the menu nor what the page begins with, and to screen readers. */
export function announce(text: string): void {
  clearTimeout(timer);
  message.value = text;
  timer = setTimeout(() => (message.value = ''), SHOWN_MS);
}

export const Announcements = () => (
  <div class="announcements" role="status">
    {message.value && <p>{message.value}</p>}
  </div>
);
