/**
 * For each request, a function that waits until the service has a slot for it. The function is stored before routing and called later,
 * because a request with a body does not need a slot until its body has arrived.
 */
export const admissions = new WeakMap<object, () => Promise<void>>();
