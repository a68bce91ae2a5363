// Replaces every replica while clients keep sending requests; no request may fail.
import assert from 'node:assert/strict';
import { test as root } from 'node:test';
import { startCluster } from './cluster.mjs';

root('no request fails during a rolling restart', async (test) => {
  const { load, endpoints, replaceOldest, stop } = await startCluster(test, false);
  const former = endpoints();
  await load.goOnFor(300);

  await replaceOldest();
  await replaceOldest();
  assert.ok(endpoints().every((endpoint) => !former.includes(endpoint)));

  await load.goOnFor(300);
  await stop();
});
