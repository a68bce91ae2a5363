// Backends as nginx knows them.
import { HOST } from './program.mjs';

/**
 * A request that fails is not sent again, and a backend that failed stays in use: neither shall hide a failure.
 *
 * @param endpoints ports of each backend by its name
 * @param keepAlive whether connections to them stay open; not for long, for a proxy that is told about an end by the answers
 *   on its connections alone has to let go of an idle one before that end
 */
export const upstreams = (endpoints, keepAlive) => `
  proxy_next_upstream off;
  proxy_http_version 1.1;
  ${keepAlive ? 'proxy_set_header Connection "";' : ''}
  ${[...endpoints].map(([name, ports]) => upstream(name, ports, keepAlive)).join('\n  ')}`;

const upstream = (name, ports, keepAlive) => `upstream ${name} {
    ${ports.map((port) => `server ${HOST}:${port} max_fails=0;`).join(' ')}
    ${keepAlive ? 'keepalive 16; keepalive_timeout 1s;' : ''}
  }`;
