import { check } from '../check.js';
import { expectProblem } from '../problem.js';
import { say, showRequest, step } from '../show.js';
import { NODES } from './can.js';
import { CITY_HALL, searchAround } from './search-around.js';
import { type Visit } from './visit.js';

const RADII = [100, 1_000, 25_000];
const MOST_RESULTS = 10;

export async function searchCans(visit: Visit): Promise<void> {
  step(`Search around Vienna's city hall (${CITY_HALL})`);
  for (const radius of RADII) await searchAround(visit.ano, visit, { radius, limit: MOST_RESULTS });
  say('the same distances as geographiclib computes on the WGS84 ellipsoid');
}

export async function searchAsProvider(visit: Visit): Promise<void> {
  const { isp } = visit;
  step('The same as a service provider, whose client has the scope coverage:search only');
  await searchAround(isp, visit, { radius: 25_000, limit: 3 });

  const list = await isp.call('GET', NODES);
  showRequest(list);
  expectProblem(list, 403);
  const challenge = list.headers.get('www-authenticate') ?? '';
  say(`www-authenticate: ${challenge}`);
  check('the scope that the challenge names', /scope="([^"]*)"/.exec(challenge)?.[1], 'coverage:read');
}
