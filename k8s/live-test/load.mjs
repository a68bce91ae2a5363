// Clients that use both APIs continuously. That acknowledged writes survive more than this is what `npm run history` checks.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listEvents, listNodes, patchNode, postNode, putEvent, readNode, search } from './requests.mjs';

/** Milliseconds between a client's requests; the pause leaves CPU time for starting replicas. */
const PAUSE_MS = 20;
/** The requests that each client repeats; it reads and changes the node that it created last. */
const ROUND = [putEvent, postNode, listEvents, readNode, listNodes, search, patchNode];
const SUCCESS = { PUT: 201, POST: 201, GET: 200, PATCH: 200 };

/**
 * @param send the `send` that `startNginx` returns
 * @param headers headers for every request
 * @returns the load, which continues until `stop`
 */
export function startLoad({ send, host, headers, clients }) {
  const load = { sent: 0, failures: [] };
  const client = () => {
    const how = { host, agent: new Agent({ keepAlive: true, maxSockets: 1 }), headers: { ...headers, 'content-type': 'application/json' } };
    let [turn, node] = [0];
    return async () => {
      const { method, path, body } = ROUND[turn++ % ROUND.length](node);
      load.sent++;
      try {
        const answer = await send({ ...how, method, path, body: body && JSON.stringify(body) });
        if (answer.status !== SUCCESS[method]) throw new Error(`${answer.status} ${answer.body}`);
        if (method === 'POST') node = JSON.parse(answer.body).node_id;
      } catch (error) {
        load.failures.push(`${new Date().toISOString()} ${method} ${path}: ${error.message}`);
      }
    };
  };
  let goesOn = true;
  const running = Promise.all(
    Array.from({ length: clients }, client).map(async (work) => {
      for (; goesOn; await sleep(PAUSE_MS)) await work();
    }),
  );
  load.stop = () => {
    goesOn = false;
    return running;
  };
  /** Resolves after this many more requests. */
  load.goOnFor = async (requests) => {
    for (const end = load.sent + requests; load.sent < end;) await sleep(PAUSE_MS);
  };
  return load;
}
