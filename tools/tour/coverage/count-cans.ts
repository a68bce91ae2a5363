import { pages } from '../pages.js';
import { type Can, NODES } from './can.js';
import { type Visit } from './visit.js';

const LARGEST_PAGE = 2000;

/** How many CANs of this visit's relation a collection holds. */
export async function countCans({ ano, relationId }: Visit, target: 'nodes' | 'prenodes'): Promise<number> {
  let count = 0;
  for await (const { body } of pages<Can>(ano, NODES, { target, relation_id: relationId, _page_size: LARGEST_PAGE })) {
    count += body.length;
  }
  return count;
}
