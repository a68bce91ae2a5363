/** Waits until the service has a slot for a request. Set before routing, because a request with a body waits until the body has arrived. */
export const admissions = new WeakMap<object, () => Promise<void>>();
