import { ContentionError } from '@fibre/database';
import type { RelationNodesRepository } from './relation-nodes.repository.js';
import { RelationNodesService } from './relation-nodes.service.js';

/** A service whose merges find this many nodes each round and promote one fewer, until only one is left. */
function mergingOf(...found: number[]) {
  const rounds = found.map((count) => ({ found: count, inserted: 1, updated: 0 }));
  const repository = {
    lockRelation: () => Promise.resolve(),
    lockPrenodes: () => Promise.resolve(),
    promotePrenodes: () => Promise.resolve(rounds.shift()),
  } as unknown as RelationNodesRepository;
  const database = { transaction: (work: (run: never) => Promise<unknown>) => work(undefined as never) };
  return new RelationNodesService(database as never, repository).merge('ano.test', 'relation');
}

test('a merge continues while nodes are left', async () => {
  expect(await mergingOf(3, 2, 1)).toEqual({ inserted: 3, updated: 0 });
});

test('a merge that leaves nodes in every round fails completely', async () => {
  await expect(mergingOf(...Array.from({ length: 50 }, () => 2))).rejects.toThrow(ContentionError);
});
