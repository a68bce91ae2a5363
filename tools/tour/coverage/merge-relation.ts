import { check } from '../check.js';
import { say, showRequest, step } from '../show.js';
import { type Can, type MergeResult, NODES } from './can.js';
import { reference } from './create-cans.js';
import { type Visit } from './visit.js';

export async function mergeRelation(visit: Visit): Promise<void> {
  step('Merge: the whole relation goes into production');
  await merge(visit, [{ count: visit.created.size, merge_action: 'INSERT' }]);
  await merge(visit, []);

  const { ano, relationId: relation_id, places } = visit;
  const [first] = places;
  const body = { relation_id, token: 'operation', center: first?.center, customer_reference: reference(0) };
  const again = await ano.call<Can>('POST', NODES, { query: { target: 'prenodes' }, body });
  showRequest(again);
  check('status of the create', again.status, 201);
  say(`${first?.name} once more, with the customer_reference that it has in production: it is updated there`);
  await merge(visit, [{ count: 1, merge_action: 'UPDATE' }]);
}

async function merge({ ano, relationId }: Visit, action: MergeResult['action']): Promise<void> {
  const merged = await ano.call<MergeResult>('PUT', NODES, { query: { relation_id: relationId } });
  showRequest(merged);
  check('status of the merge', merged.status, 200);
  say(JSON.stringify(merged.body));
  check('the merge', merged.body, { action });
}
