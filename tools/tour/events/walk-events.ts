import { columns } from '../../terminal.js';
import { check } from '../check.js';
import { pages } from '../pages.js';
import { say, showTable, step } from '../show.js';
import { EVENTS, type RecordedEvent } from './event.js';
import { eventCells } from './list-events.js';
import { type Visit } from './visit.js';

const PAGE_SIZE = 2;

export async function walkEvents({ ano, entityId, recorded }: Visit): Promise<void> {
  step("List the entity's events, page by page along the link header");
  say(`GET ${EVENTS}?entity_id=...&_page_size=${PAGE_SIZE} and then the link "next" of each answer`);

  const pageCount = Math.ceil(recorded.length / PAGE_SIZE);
  const rows = [['page', 'x-page-size', 'x-page-count', 'event_type', 'in Vienna', 'event_at', 'article']];
  const listed: RecordedEvent[] = [];
  let page = 0;
  for await (const { headers, body: events } of pages<RecordedEvent>(ano, EVENTS, { entity_id: entityId, _page_size: PAGE_SIZE })) {
    page += 1;
    const size = headers.get('x-page-size') ?? '';
    const count = headers.get('x-page-count') ?? '';
    check('page size and page count', [size, count], [String(PAGE_SIZE), String(pageCount)]);
    rows.push(...events.map((event) => [String(page), size, count, ...eventCells(event)]));
    listed.push(...events);
  }
  showTable(columns(rows, '   '));
  check('pages', page, pageCount);
  check('the events listed', listed, recorded);
  say(
    `all ${listed.length} events, each exactly once, in the order of their creation; the activation with its user attributes overwritten`,
  );
}
