import { SettledTime } from '@fibre/changes';
import { type Page, readPage } from '@fibre/pagination';
import { found, idempotencyKeyTaken } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { edgeText, momentOf, type WindowEdge, windowOf } from '../periods/period-window.js';
import { DEFAULT_TIMEZONE } from '../timeline/event-time.js';
import type { Closing, NewClosing } from './closing.entity.js';
import type { CreateClosingRequest, ListClosingsQuery } from './closing.requests.js';
import { toClosingResponse } from './closing.response.js';
import { ClosingsRepository } from './closings.repository.js';

/** What makes two requests the same, if they have the same idempotency key. */
const SENT = ['from', 'to', 'timezone', 'partner_id', 'reference', 'comment'] as const;

/** Records what was invoiced. Every method sees only the closings of the tenant and namespace it is given. */
@Injectable()
export class ClosingsService {
  constructor(
    private readonly repository: ClosingsRepository,
    private readonly namespaces: NamespacesService,
    private readonly settled: SettledTime,
  ) {}

  /** @throws Problem 422 `idempotency-key-taken` */
  async create(
    tenant: string,
    namespace: string | undefined,
    request: CreateClosingRequest,
    idempotencyKey: string | undefined,
  ): Promise<Closing> {
    const { from, to, timezone } = windowOf(request);
    const closing: NewClosing = {
      ...{ tenant, namespace_id: await this.namespaces.forWriting(tenant, namespace) },
      ...{ from: edgeText(from), to: edgeText(to), timezone },
      ...{ partner_id: request.partner_id ?? null, reference: request.reference ?? null, comment: request.comment ?? null },
      idempotency_key: idempotencyKey ?? null,
    };
    const stored = await this.repository.insert(closing, await this.settled.now());
    if (SENT.some((name) => stored[name] !== closing[name])) throw idempotencyKeyTaken('closing', 'closing');
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
    // A date whose first moment is not a timestamp begins no window.
    const edge = (sent: WindowEdge): string => {
      const moment = momentOf(sent, timezone);
      return moment ? edgeText(moment) : '';
    };
    const filters = {
      ...(partner_id !== undefined && { partner_id }),
      ...(query.from !== undefined && { from: edge(query.from) }),
      ...(query.to !== undefined && { to: edge(query.to) }),
    };
    const where = [{ tenant, namespace_id, ...filters }];
    return readPage(query, 'closings', { tenant, namespace, ...filters }, (page) => this.repository.page(where, page, toClosingResponse));
  }
}
