// What a Kubernetes Service is to a proxy that connects to its cluster IP: whoever is behind it is chosen for a new
// connection alone, and a connection outlives the time that its replica is among the endpoints.
import { setTimeout as sleep } from 'node:timers/promises';
import { startRelay } from './program.mjs';

/** As `startBalancer`. */
export async function startClusterIps(test, endpoints) {
  const current = new Map(endpoints);
  const relays = new Map();
  for (const name of endpoints.keys()) {
    let turn = 0;
    const next = () => current.get(name)[turn++ % current.get(name).length];
    relays.set(name, await startRelay(test, next));
  }
  const ports = new Map([...relays].map(([name, { port }]) => [name, port]));
  const setEndpoints = async (name, replicas) => {
    const former = current.get(name).filter((replica) => !replicas.includes(replica));
    current.set(name, replicas);
    while (former.some((replica) => relays.get(name).isConnectedTo(replica))) await sleep(20);
  };
  return { ports, setEndpoints, keepAlive: true };
}
