import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** How long a message stays; it repeats what the page shows anyway. */
const SHOWN_MS = 8_000;
const message = signal<{ readonly text: string } | undefined>(undefined);

/** Says what has happened, at the edge of the window and to screen readers. */
export function announce(text: string): void {
  message.value = { text };
}

export function Announcements() {
  const current = message.value;
  useEffect(() => {
    if (!current) return undefined;
    const timer = setTimeout(() => (message.value = undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div class="announcements" role="status">
      {current && <p>{current.text}</p>}
    </div>
  );
}
