import { columns } from '../../terminal.js';
import { type Api, type CallOptions } from '../api.js';
import { check } from '../check.js';
import { say, showRequest, showTable } from '../show.js';
import { EVENTS, type RecordedEvent } from './event.js';
import { inVienna } from './times.js';

export interface ListOptions extends Pick<CallOptions, 'headers'> {
  path?: string;
}

/** A listing that fits on one page, shown as a request. */
export async function listEvents(api: Api, query: CallOptions['query'], options: ListOptions = {}): Promise<RecordedEvent[]> {
  const { path = EVENTS, headers } = options;
  const answer = await api.call<RecordedEvent[]>('GET', path, { query, headers });
  showRequest(answer);
  check('status of the listing', answer.status, 200);
  return answer.body;
}

/** Events as a person reads them. */
export function showEvents(events: readonly RecordedEvent[]): void {
  if (events.length === 0) return say('nothing there');
  showTable(columns([['event_type', 'in Vienna', 'event_at', 'article'], ...events.map(eventCells)], '   '));
}

export function eventCells({ event_type, event_at, sys_attributes }: RecordedEvent): string[] {
  return [event_type, inVienna(event_at), event_at, sys_attributes?.article_codes?.join(', ') ?? ''];
}
