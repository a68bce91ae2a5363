import { type DemoClient } from './dev-issuer/demo-accounts.js';

/** Parts of a request in addition to method and URL. */
export interface CurlOptions {
  headers?: Record<string, string>;
  body?: unknown;
  /** Shell variable with the access token. */
  token?: string;
}

/** A shell command that stores an access token in a variable. It only needs curl and Node.js. */
export const tokenCommand = (issuer: string, { id, secret }: DemoClient, variable = 'TOKEN'): string =>
  `${variable}=$(curl -s -u ${id}:${secret} -d grant_type=client_credentials ${issuer}/token | node -p 'JSON.parse(require("fs").readFileSync(0)).access_token')`;

/** A request as a shell command. */
export function curlCommand(method: string, url: string, { headers = {}, body, token = 'TOKEN' }: CurlOptions = {}): string {
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const content = body === undefined ? [] : [`-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`];
  return [
    // Otherwise the responses to several pasted commands would share one line.
    String.raw`curl -s -w '\n'`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `-H "Authorization: Bearer $${token}"`,
    ...given,
    ...content,
    quoted(url),
  ].join(' ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
