import { setTimeout as sleep } from 'node:timers/promises';
import { volume } from '../volume.js';

const TIMES = volume(60, 200);
const LONGEST_MS = 60;
const AT_ONCE = 2;

/** Sends a request many times, and closes each connection 0 to 60 ms later. */
export async function leaveEarly(url: string, token: string): Promise<void> {
  let count = 0;
  const leave = async (): Promise<void> => {
    while (count < TIMES) {
      const client = new AbortController();
      const answer = fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: client.signal }).catch(() => undefined);
      await sleep((count++ * LONGEST_MS) / TIMES);
      client.abort();
      await answer;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, leave));
}
