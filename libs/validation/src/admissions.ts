/** Waits until the service has a place for a request; set before the request is routed where its body has to come first. */
export const admissions = new WeakMap<object, () => Promise<void>>();
