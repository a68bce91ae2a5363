/**
 * What a request with a body needs while it is read: its bytes count against a limit as they arrive, and it takes a slot only once the body is
 * complete, so that a slow sender does not hold one.
 */
export interface BodyAdmission {
  /** Counts bytes of the body that are in memory. @returns false if there is no room for them @throws WorkCancelled the client has disconnected */
  received(bytes: number): boolean;
  /** What a request gets whose body has no room: 503. */
  refusal(): Error;
  /** Waits for a slot. @throws Problem 503 */
  ready(): Promise<void>;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the only way to add a member to the requests of Express
  namespace Express {
    interface Request {
      /** Of a request with a body; the server sets it before routing. */
      admission?: BodyAdmission;
    }
  }
}
