const PROBE = /^\/(health|metrics)(\/|$)/;

/** Whether a request is a probe or a scrape: they come every few seconds and say nothing. */
export const isProbe = (url: string): boolean => PROBE.test(url);
