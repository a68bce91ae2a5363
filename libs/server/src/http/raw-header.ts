import type { IncomingMessage } from 'node:http';

/** The first value of a header, without making an object of all of them as `request.headers` does. @param name in lower case */
export function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i]!;
    if (header.length === name.length && header.toLowerCase() === name) return rawHeaders[i + 1];
  }
  return undefined;
}
