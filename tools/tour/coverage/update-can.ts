import { check, checkThat } from '../check.js';
import { expectProblem } from '../problem.js';
import { say, showRequest, step } from '../show.js';
import { type Can, NODES } from './can.js';
import { searchAround } from './search-around.js';
import { type Visit } from './visit.js';

/** In front of the city hall; the point that GeoNames has for Vienna lies 1.1 km away. */
const NEW_CENTER = '48.2106, 16.3575';

export async function updateCan(visit: Visit): Promise<void> {
  const { ano, created } = visit;
  step('Update one, knowing what we change (ETag and If-Match)');
  const nodeId = [...created].find(([, { name }]) => name === 'Vienna')?.[0] ?? '';
  const path = `${NODES}${nodeId}/`;

  const before = await ano.call<Can>('GET', path);
  showRequest(before);
  check('status of the read', before.status, 200);
  const etag = before.headers.get('etag') ?? '';
  say(`Vienna: token ${before.body.token}, center ${before.body.center}, etag ${etag}`);

  const change = { token: 'operation', center: NEW_CENTER, status: 'started' };
  const update = () => ano.call<Can>('PATCH', path, { body: change, headers: { 'if-match': etag } });
  const after = await update();
  showRequest(after);
  check('status of the update', after.status, 200);
  const { modified_at } = after.body;
  check('the updated CAN', after.body, { ...before.body, ...change, modified_at });
  checkThat('modified_at', modified_at > before.body.modified_at, modified_at, `after ${before.body.modified_at}`);
  say(`now ${JSON.stringify(change)}, modified at ${modified_at}`);
  created.set(nodeId, { name: 'Vienna', center: NEW_CENTER });

  say('once more with the old etag, as somebody would who has not seen the change:');
  const late = await update();
  showRequest(late);
  expectProblem(late, 412);

  say('and a search now finds it at its new place:');
  await searchAround(ano, visit, { radius: 100, limit: 5 });
}
