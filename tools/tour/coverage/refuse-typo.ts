import { check } from '../check.js';
import { expectProblem } from '../problem.js';
import { say, showRequest, step } from '../show.js';
import { countCans } from './count-cans.js';
import { NODES } from './can.js';
import { type Visit } from './visit.js';

export async function refuseTypo(visit: Visit): Promise<void> {
  const { ano, relationId, created } = visit;
  step('A typo in a bulk delete deletes nothing');
  const refused = await ano.call('DELETE', NODES, { query: { relation_id: relationId, traget: 'prenodes' } });
  showRequest(refused);
  const problem = expectProblem(refused, 422);
  check(
    'what the problem names',
    problem.errors?.map(({ parameter }) => parameter),
    ['traget'],
  );

  const left = await countCans(visit, 'nodes');
  check('CANs in production afterwards', left, created.size);
  say(`still ${left} CANs in production`);
}
