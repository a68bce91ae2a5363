import { ContentionError, type Database, type Statement } from '@fibre/database';
import { RelationNodesService } from './relation-nodes.service.js';

/** A service whose merges find this many nodes in each round and promote one fewer, until only one is left. */
function mergingOf(...found: number[]) {
  const rounds = found.map((count) => ({ found: count, inserted: 1, updated: 0 }));
  const run = ({ name }: Statement) => Promise.resolve(name === 'access-nodes-promote' ? [rounds.shift()] : []);
  const database = { run, change: (_client: string, work: (send: typeof run) => Promise<unknown>) => work(run) } as unknown as Database;
  return new RelationNodesService(database).merge('ano.test', null, 'relation');
}

test('a merge continues while nodes are left', async () => {
  expect(await mergingOf(3, 2, 1)).toEqual({ inserted: 3, updated: 0 });
});

test('a merge that leaves nodes in every round fails as a whole', async () => {
  await expect(mergingOf(...Array.from({ length: 50 }, () => 2))).rejects.toThrow(ContentionError);
});
