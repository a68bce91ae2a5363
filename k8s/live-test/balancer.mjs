// What a Kubernetes Service is to an ingress controller that connects to the pods itself: their addresses, which change.
import { startNginxProcess } from './nginx-process.mjs';
import { freePort, HOST } from './program.mjs';
import { upstreams } from './upstreams.mjs';

/**
 * One port for each service, in front of its replicas. Connections to the replicas stay open, and a request that fails
 * is not sent again.
 *
 * A process of its own: an nginx that is told to reload closes its clients' idle connections, some of them under the
 * next request. So this one has no idle clients; those stay with the nginx that never reloads.
 *
 * @param endpoints ports of the replicas by the name of the service
 * @returns `ports` by the same names, whether they may be kept connections to, and `setEndpoints`, which settles once
 *   nobody uses the former ones any more
 */
export async function startBalancer(test, endpoints) {
  const current = new Map(endpoints);
  const ports = new Map();
  for (const name of endpoints.keys()) ports.set(name, await freePort());
  const { reload } = await startNginxProcess(test, () => configuration(current, ports));

  let last = Promise.resolve();
  const setEndpoints = (name, replicas) => {
    current.set(name, replicas);
    // One after the other, for two reloads at once are one to nginx.
    last = last.then(reload);
    return last;
  };
  return { ports, setEndpoints, keepAlive: false };
}

const configuration = (endpoints, ports) => `
  proxy_set_header Host $http_host;
  ${upstreams(endpoints, true)}
  ${[...ports].map(([name, port]) => `server { listen ${HOST}:${port}; location / { proxy_pass http://${name}; } }`).join('\n  ')}`;
