const PARENT_CHECK_MS = 250;

/**
 * Aborts at the first Ctrl-C or SIGTERM, or when the terminal is closed. Later signals have no effect, because npm sends Ctrl-C a second
 * time. Also aborts when npm has ended, because npm's shell does not pass on SIGTERM and this process would otherwise keep running.
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

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
