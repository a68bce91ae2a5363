import { columns } from '../../terminal.js';
import { check } from '../check.js';
import { pages } from '../pages.js';
import { say, showTable, step } from '../show.js';
import { type Can, NODES } from './can.js';
import { type Visit } from './visit.js';

const DEFAULT_PAGE_SIZE = 500;

export async function walkPages({ ano, relationId, created }: Visit): Promise<void> {
  step('Read them back, page by page along the link header');
  const path = NODES.slice(0, -1);
  const query = { relation_id: relationId, target: 'prenodes' };
  say(`GET ${path}?target=prenodes&relation_id=... and then the link "next" of each answer`);

  const pageCount = Math.ceil(created.size / DEFAULT_PAGE_SIZE);
  const rows = [['page', 'CANs', 'x-page-size', 'x-page-count', 'first', 'last']];
  const ids: string[] = [];
  for await (const { headers, body: cans } of pages<Can>(ano, path, query)) {
    const size = headers.get('x-page-size') ?? '';
    const count = headers.get('x-page-count') ?? '';
    check('page size and page count', [size, count], [String(DEFAULT_PAGE_SIZE), String(pageCount)]);
    const name = (can?: Can) => created.get(can?.node_id ?? '')?.name ?? '?';
    rows.push([String(rows.length), String(cans.length), size, count, name(cans[0]), name(cans.at(-1))]);
    ids.push(...cans.map((can) => can.node_id));
  }
  showTable(columns(rows, '   '));
  check('pages', rows.length - 1, pageCount);
  check('the order of the CANs, oldest first', ids, [...ids].sort());
  check('the CANs read', ids, [...created.keys()].sort());
  say(`all ${ids.length} CANs, each exactly once, oldest first`);
}
