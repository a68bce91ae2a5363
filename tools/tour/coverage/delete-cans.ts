import { check } from '../check.js';
import { expectProblem } from '../problem.js';
import { say, showRequest, step } from '../show.js';
import { NODES } from './can.js';
import { countCans } from './count-cans.js';
import { type Visit } from './visit.js';

export async function deleteCan({ ano, created }: Visit): Promise<void> {
  step('Delete one');
  const [[nodeId, place] = ['', undefined]] = created;
  const path = `${NODES}${nodeId}/`;
  const deleted = await ano.call('DELETE', path);
  showRequest(deleted);
  check('status and body of the delete', [deleted.status, deleted.body], [204, undefined]);
  created.delete(nodeId);

  say(`${place?.name} is gone:`);
  const gone = await ano.call('GET', path);
  showRequest(gone);
  expectProblem(gone, 404);
}

export async function deleteRelation(visit: Visit): Promise<void> {
  step('Delete the rest at once');
  for (const target of ['nodes', 'prenodes'] as const) {
    const count = await countCans(visit, target);
    const deleted = await bulkDelete(visit, target);
    showRequest(deleted);
    check('status and body of the bulk delete', [deleted.status, deleted.body], [204, undefined]);
    check(`CANs left in ${target}`, await countCans(visit, target), 0);
    say(`${count} CANs deleted from ${target}`);
  }
}

export function bulkDelete({ ano, relationId }: Visit, target: 'nodes' | 'prenodes') {
  return ano.call('DELETE', NODES, { query: { relation_id: relationId, target } });
}
