const PROBE = /^\/(health|metrics)(\/|$)/;

/** Whether a request is a probe or a scrape; these are sent every few seconds and are not worth logging. */
export const isProbe = (url: string): boolean => PROBE.test(url);
