import { SettledTime } from '@fibre/settled-time';
import { formatTimestamp, TIME_ZONE_RELEASE } from '@fibre/dto';
import { type Page, readPage } from '@fibre/pagination';
import { found, idempotencyKeyTaken, invalidRequest } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { dayStarts, edgeText, sentText, windowOf } from '../timeline/period-window.js';
import { DEFAULT_TIMEZONE } from '../timeline/event-time.js';
import type { Closing, NewClosing } from './closing.entity.js';
import type { CreateClosingRequest, ListClosingsQuery } from './closing.requests.js';
import { toClosingResponse } from './closing.response.js';
import { atEdge, ClosingsRepository } from './closings.repository.js';

/** What makes two requests the same, if they have the same idempotency key. */
const SENT = ['sent_from', 'sent_to', 'timezone', 'partner_id', 'reference', 'comment', 'reviewed'] as const;

/** Records what was invoiced. Every method sees only the closings of the tenant and namespace it is given. */
@Injectable()
export class ClosingsService {
  constructor(
    private readonly repository: ClosingsRepository,
    private readonly namespaces: NamespacesService,
    private readonly settled: SettledTime,
  ) {}

  /** @throws Problem 422 `idempotency-key-taken`, or for a `recorded_until` that is not settled or is before the previous closing's */
  async create(
    tenant: string,
    actor: string | null,
    namespace: string | undefined,
    request: CreateClosingRequest,
    idempotencyKey: string | undefined,
  ): Promise<Closing> {
    const window = windowOf(request);
    const reviewed = request.recorded_until && new Date(request.recorded_until.instant.epochMilliseconds);
    const closing: NewClosing = {
      tenant,
      namespace_id: await this.namespaces.forWriting(tenant, namespace),
      from: edgeText(window.from),
      to: edgeText(window.to),
      timezone: window.timezone,
      sent_from: sentText(request.from),
      sent_to: sentText(request.to),
      day_starts: dayStarts(window),
      timezone_release: TIME_ZONE_RELEASE,
      partner_id: request.partner_id ?? null,
      reference: request.reference ?? null,
      comment: request.comment ?? null,
      reviewed: reviewed != null,
      idempotency_key: idempotencyKey ?? null,
      created_by: actor,
    };
    const settled = await this.settled.now();
    const stored = await this.repository.insert(closing, (previous) => recordedUntil(previous, settled, reviewed ?? undefined));
    const isRepeat = SENT.every((name) => stored[name] === closing[name]) && (!reviewed || +reviewed === +stored.recorded_until);
    if (!isRepeat) throw idempotencyKeyTaken('closing', 'closing');
    return stored;
  }

  /** @throws Problem 404 */
  async read(tenant: string, namespace: string | undefined, closing_id: string): Promise<Closing> {
    const namespace_id = await this.namespaces.forReading(tenant, namespace);
    return found(await this.repository.find([{ tenant, namespace_id }], closing_id), 'closing', closing_id);
  }

  async list(tenant: string, namespace: string | undefined, query: ListClosingsQuery): Promise<Page> {
    const namespace_id = await this.namespaces.forReading(tenant, namespace);
    const { partner_id, timezone = DEFAULT_TIMEZONE } = query;
    const filter = { tenant, namespace_id, ...(partner_id !== undefined && { partner_id }) };
    const where = atEdge('from', query.from, timezone).flatMap((from) =>
      atEdge('to', query.to, timezone).map((to) => ({ ...filter, ...from, ...to })),
    );
    const { _page_size, _page_cursor, ...filters } = query;
    return readPage(query, 'closings', { tenant, namespace, ...filters }, (page) => this.repository.page(where, page, toClosingResponse));
  }
}

/** @param reviewed what the client asks for @throws Problem 422 if it is not settled or is before the previous closing's */
function recordedUntil(previous: Closing | null, settled: Date, reviewed?: Date): Date {
  // The settled instant can move back, but what was settled once stays settled: a window's closings must not overlap.
  const latest = previous && previous.recorded_until > settled ? previous.recorded_until : settled;
  if (!reviewed) return latest;
  const refuse = (detail: string, hint: string): never => {
    throw invalidRequest([{ pointer: '#/recorded_until', detail }], hint);
  };
  if (reviewed > latest)
    refuse(
      `must not be later than the latest settled instant, ${formatTimestamp(latest)}`,
      'Send the x-recorded-until of what was reviewed.',
    );
  if (previous && reviewed < previous.recorded_until)
    refuse(
      `is before ${formatTimestamp(previous.recorded_until)}, up to which closing ${previous.closing_id} has closed this window`,
      'Review the window again: somebody else has closed it in the meantime.',
    );
  return reviewed;
}
