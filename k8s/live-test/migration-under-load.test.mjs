// Installs the next version's schema while the replicas run, and replaces them during the migration and after it.
import assert from 'node:assert/strict';
import { test as root } from 'node:test';
import { migrateToNext } from './backends.mjs';
import { everyOne, startCluster } from './cluster.mjs';

root('no request fails during a migration under load', async (test) => {
  const { services, load, endpoints, replaceOldest, stop } = await startCluster(test, true);
  const former = endpoints();
  // After these requests, the connections have prepared their statements with the columns of this version.
  await load.goOnFor(600);

  const migrations = services.map(async ({ name, settings, databaseUrl }) => {
    assert.match(await migrateToNext(name, settings, databaseUrl), /^ran AddColumn4102444800000, AddIndex4102444800001$/m);
  });
  await everyOne([...migrations, replaceOldest()]);
  // These requests still go to old replicas.
  await load.goOnFor(600);
  await replaceOldest();
  assert.ok(endpoints().every((endpoint) => !former.includes(endpoint)));

  await load.goOnFor(300);
  await stop();
});
