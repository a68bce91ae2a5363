// Both services, each with two replicas and its own database, behind the rendered Ingress rules and under load.
import assert from 'node:assert/strict';
import { migrate, startDatabases, startIssuer, startReplica, token } from './backends.mjs';
import { ofKind, render, settingsByService } from './chart.mjs';
import { startLoad } from './load.mjs';
import { startClusterIps, startNginx } from './nginx.mjs';

const CLIENTS = 8;
// Less than in the chart, but more than a busy machine takes to send these requests.
const DELAY_SECONDS = 6;
/** Number of requests sent before the proxy knows that a replica is shutting down. Some of them still go to that replica. */
const UNTIL_KNOWN = 50;

/**
 * @param keepAlive whether the Ingress keeps its connections to the replicas, or chooses a replica for each request
 * @returns the services and the load; `endpoints` of all replicas; `replaceOldest`, which replaces the oldest replica of each service;
 *   and `stop`, which ends the load and checks that everything went well
 */
export async function startCluster(test, keepAlive) {
  const manifests = render('one-host');
  const rendered = settingsByService(manifests);
  const [issuer, databases] = await Promise.all([startIssuer(test), startDatabases(test, [...rendered.keys()])]);
  const services = [...rendered].map(([name, settings]) => {
    const databaseUrl = databases.get(name);
    return { name, databaseUrl, settings: { ...settings, DATABASE_URL: databaseUrl, OAUTH_ISSUER: issuer.url, LOG_LEVEL: 'warn' } };
  });
  const deployments = await Promise.all(
    services.map(async ({ name, databaseUrl, settings }) => {
      await migrate(name, settings, databaseUrl);
      return startDeployment(test, name, settings);
    }),
  );
  const { ports, setEndpoints } = await startClusterIps(test, new Map(deployments.map(({ name, endpoints }) => [name, endpoints()])));
  const [ingress] = ofKind(manifests, 'Ingress');
  const { send } = await startNginx(test, ingress, ports, keepAlive);
  const headers = { authorization: `Bearer ${await token(issuer)}` };
  const load = startLoad({ send, host: ingress.spec.rules[0].host, headers, clients: CLIENTS });
  test.after(load.stop);

  const endpoints = () => deployments.flatMap((deployment) => deployment.endpoints());
  const replaceOldest = () => everyOne(deployments.map((deployment) => deployment.replaceOldest(setEndpoints, load)));
  const stop = async () => {
    await load.stop();
    assert.deepEqual(load.failures, []);
    await everyOne(deployments.map((deployment) => deployment.stop()));
    test.diagnostic(`${load.sent} requests, ${load.failures.length} failed`);
  };
  return { services, load, endpoints, replaceOldest, stop };
}

/** Unlike Promise.all, waits until all promises have settled, so that none starts a program after the test has failed and cleaned up. */
export async function everyOne(promises) {
  for (const { status, reason } of await Promise.allSettled(promises)) if (status === 'rejected') throw reason;
}

/** Two replicas of a service, replaced one by one, the way a Deployment with `maxUnavailable: 0` would. */
async function startDeployment(test, name, settings) {
  const start = () => startReplica(test, name, { ...settings, SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS) });
  const replicas = await Promise.all([start(), start()]);
  const endpoints = () => replicas.map(({ port }) => port);
  const replaceOldest = async (setEndpoints, load) => {
    replicas.push(await start());
    await setEndpoints(name, endpoints());
    const told = Date.now();
    const { program } = replicas.shift();
    const ended = program.stop();
    await load.goOnFor(UNTIL_KNOWN);
    await setEndpoints(name, endpoints());
    const usedMs = Date.now() - told;
    assert.ok(usedMs < DELAY_SECONDS * 1000, `a replica was in use for ${usedMs} ms after it was told to stop`);
    assert.equal(await ended, 0, program.lines.join('\n'));
  };
  const stop = () => Promise.all(replicas.map(async ({ program }) => assert.equal(await program.stop(), 0, program.lines.join('\n'))));
  return { name, endpoints, replaceOldest, stop };
}
