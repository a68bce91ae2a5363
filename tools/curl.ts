import { type DemoClient } from './dev-issuer/demo-clients.js';

/** What a request has besides method and URL. */
export interface CurlOptions {
  headers?: Record<string, string>;
  body?: unknown;
  /** Shell variable that holds the access token. */
  token?: string;
}

/** A line to paste into a shell that leaves an access token in a variable. It needs no more than curl and the Node.js that runs this. */
export function tokenCommand(issuer: string, { id, secret }: DemoClient, variable = 'TOKEN'): string {
  const accessToken = `node -p 'JSON.parse(require("fs").readFileSync(0)).access_token'`;
  return `${variable}=$(curl -s -u ${id}:${secret} -d grant_type=client_credentials ${issuer}/token | ${accessToken})`;
}

/** The same request as a line to paste into a shell. */
export function curlCommand(method: string, url: string, { headers = {}, body, token = 'TOKEN' }: CurlOptions = {}): string {
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const content = body === undefined ? [] : [`-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`];
  return [
    'curl -s',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `-H "Authorization: Bearer $${token}"`,
    ...given,
    ...content,
    quoted(url),
  ].join(' ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
