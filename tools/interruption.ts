const PARENT_CHECK_MS = 250;

/**
 * Aborts at the first Ctrl-C, SIGTERM or closed terminal. Later ones change nothing: npm hands a Ctrl-C on a second time.
 * Also when npm has ended: its shell does not hand on a SIGTERM, and this process would go on alone.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort());
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && controller.abort(), PARENT_CHECK_MS).unref();
  }
  return controller.signal;
}

/** Settles when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
