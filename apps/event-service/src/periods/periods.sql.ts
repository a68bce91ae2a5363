import { jsonObjectText, type JsonMember, MAX_PAGE_BYTES, type Statement, statementOf } from '@fibre/database';
import type { Timestamp } from '@fibre/dto';
import { leastIdAt, shardKeyOf } from '../timeline/event-id.js';
import { IN_FORCE, joinInForce, selectSteps } from '../timeline/steps.sql.js';
import { eventAtText, sameTimeline } from '../timeline/timeline.sql.js';
import type { TimelineKey } from '../timeline/timeline.js';

/** Which steps: those of a window, as recorded up to an instant. Absent filters are ignored. */
export interface PeriodSearch extends Pick<TimelineKey, 'tenant' | 'namespaceId'> {
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly recordedUntil: Date;
  /** If set, searches for corrections: entities whose steps differ from those recorded up to this instant. */
  readonly recordedFrom?: Date;
  readonly partner_id?: string;
  readonly entity_id?: string;
  readonly article_code?: string;
}

/** Start of a page: an entity, after this many of its steps. */
export interface PeriodPlace {
  readonly entityId: string;
  readonly skipped: number;
}

/** Columns of a table with one line per article, or a single column with the JSON of a step. */
export type PeriodsAs = 'columns' | 'json';

/** Most steps of an entity that a correction lists, before and after. */
export const MAX_CORRECTED_STEPS = 1_000;
/** Number of entities that are read to count a listing. */
export const COUNTED = 10_000;
/** Milliseconds by which an id's time may be before `created_at`, which never goes back within a timeline. */
const ID_LATE_MS = 60_000;

/** A search in SQL: the parts of its statements, and their values. */
class PeriodSql {
  readonly values: unknown[] = [];
  private readonly places = new Map<string, string>();

  constructor(private readonly search: PeriodSearch) {}

  /** The placeholder of a value by its name, because a statement may not bind unused values. */
  bind(name: string, type: string, value: unknown): string {
    const place = this.places.get(name) ?? `$${this.values.push(value)}::${type}`;
    this.places.set(name, place);
    return place;
  }

  private get from(): string {
    return this.bind('from', 'timestamptz', this.search.from.utc);
  }

  private get to(): string {
    return this.bind('to', 'timestamptz', this.search.to.utc);
  }

  private get recordedUntil(): string {
    return this.bind('recorded_until', 'timestamptz', this.search.recordedUntil);
  }

  private get recordedFrom(): string {
    return this.bind('recorded_from', 'timestamptz', this.search.recordedFrom);
  }

  get isCorrections(): boolean {
    return this.search.recordedFrom !== undefined;
  }

  /** Timelines `t` that may have records. */
  get timelines(): string {
    return this.isCorrections ? this.changedTimelines : 'timeline t';
  }

  get conditions(): string {
    return this.isCorrections ? this.inScope('t') : `${this.inScope('t')}${this.mayHaveSteps()}`;
  }

  /** Joins the steps `p` to a timeline. */
  get steps(): string {
    return this.stepsAt(this.recordedUntil);
  }

  /** Both tables include the scope, and the shard if there is one, or Citus would ask every shard. */
  private inScope(alias: string): string {
    const { tenant, namespaceId, entity_id } = this.search;
    const scope = [
      `${alias}.tenant = ${this.bind('tenant', 'text', tenant)}`,
      `${alias}.namespace_id = ${this.bind('namespace', 'uuid', namespaceId)}`,
    ];
    if (entity_id !== undefined)
      scope.push(
        `${alias}.entity_id = ${this.bind('entity', 'uuid', entity_id)}`,
        `${alias}.shard_key = ${this.bind('shard', 'smallint', shardKeyOf(entity_id))}`,
      );
    return scope.join(' and ');
  }

  /**
   * Condition that the row of the timeline does not rule out steps. If nothing was recorded later and nothing happened after the window began,
   * the row has the running subscription.
   */
  private mayHaveSteps(): string {
    const { partner_id, article_code } = this.search;
    const runs = [
      `t.state = 'active'`,
      ...(partner_id === undefined ? [] : [`t.partner_id = ${this.bind('partner', 'text', partner_id)}::uuid`]),
      ...(article_code === undefined ? [] : [`${this.bind('article', 'text', article_code)} = any(t.article_codes)`]),
    ];
    return ` and (
      t.lifecycle_version is distinct from t.version or coalesce(t.modified_at > ${this.recordedUntil}, true) or t.lifecycle_at > ${this.from}
      or (${runs.join(' and ')})
    )`;
  }

  /** Ids contain the creation time, so their index finds these. In the order of the listing, so that a page stops early. */
  private get changedTimelines(): string {
    const least = this.bind('least_id', 'uuid', leastIdAt(this.search.recordedFrom!.getTime() - ID_LATE_MS));
    return `(
      select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e
      where ${this.inScope('e')} and e.event_id >= ${least} and e.created_at > ${this.recordedFrom} and e.created_at <= ${this.recordedUntil}
        and e.event_type <> 'notification' and e.event_at < ${this.to}
      order by e.entity_id
    ) t`;
  }

  private stepsAt(recorded: string): string {
    const ofTimeline = `${sameTimeline('e', 't')} and ${this.inScope('e')} and e.created_at <= ${recorded}`;
    const { partner_id, article_code } = this.search;
    const conditions = [
      `(s.ended is null or s.ended > ${this.from})`,
      ...(partner_id === undefined ? [] : [`s.partner_id = ${this.bind('partner', 'text', partner_id)}`]),
      ...(article_code === undefined
        ? []
        : [`${this.bind('article', 'text', article_code)} in (select json_array_elements_text(s.article_codes))`]),
    ];
    const { last, activation, kept } = joinInForce(this.from, ofTimeline);
    // From the event that applies at the start of the window.
    const lifecycle = `
          select e.* from event e where ${ofTimeline} and e.event_type <> 'notification'
            and e.event_at >= coalesce(last.event_at, ${this.from}) and e.event_at < ${this.to}`;
    return `${last}${activation}${kept}
      cross join lateral (
        select s.*, row_number() over (partition by s.shard_key order by s.began)::int as n
        from (${selectSteps(lifecycle, IN_FORCE)}) s
        where ${conditions.join(' and ')}
      ) p`;
  }

  /** A step in a response. */
  get members(): readonly JsonMember[] {
    return [
      { name: 'entity_id', sql: 't.entity_id', as: 'plain' },
      { name: 'partner_id', sql: 'p.partner_id', as: 'plain' },
      { name: 'from', sql: eventAtText(`greatest(p.began, ${this.from})`), as: 'plain' },
      { name: 'to', sql: eventAtText(`coalesce(p.ended, ${this.to})`), as: 'plain' },
      { name: 'article_codes', sql: 'p.article_codes::text', as: 'json' },
      { name: 'option82', sql: 'p.option82', as: 'text', optional: true },
      { name: 'partner_reference', sql: 'p.partner_reference', as: 'text', optional: true },
      { name: 'begins', sql: `case when p.began >= ${this.from} then p.event_id end`, as: 'plain', optional: true },
      { name: 'ends', sql: 'p.ended_by', as: 'plain', optional: true },
      { name: 'runs_on', sql: '(p.ended is null)::text', as: 'json' },
    ];
  }

  /** Records of the listing, `entity_id`, `n` and `json`: steps, or entities with their steps before and after. */
  records(condition = ''): string {
    const step = jsonObjectText(this.members);
    const where = `where ${this.conditions}${condition}`;
    if (!this.isCorrections) return `select t.entity_id, p.n, ${step} as json from ${this.timelines} ${this.steps} ${where}`;
    // Lateral, so that a page stops at its last entity instead of grouping the steps of all. From the table, because Citus refuses an outer
    // join to rows that are in no shard.
    const stepsRecorded = (until: string): string => `
      cross join lateral (
        select
          '[' || coalesce(string_agg(${step}, ',' order by p.n) filter (where p.n <= ${MAX_CORRECTED_STEPS}), '') || ']' as shown,
          string_agg(${step}, ',' order by p.n) as steps, max(p.n) as count
        from (select o.* from timeline o where ${sameTimeline('o', 't')} and ${this.inScope('o')}) t ${this.stepsAt(until)}
      )`;
    const correction = jsonObjectText([
      { name: 'entity_id', sql: 't.entity_id', as: 'plain' },
      { name: 'before', sql: 'before.shown', as: 'json' },
      { name: 'after', sql: 'after.shown', as: 'json' },
      {
        name: 'truncated',
        sql: `case when greatest(before.count, after.count) > ${MAX_CORRECTED_STEPS} then 'true' end`,
        as: 'json',
        optional: true,
      },
    ]);
    return `
      select t.entity_id, 1 as n, ${correction} as json
      from ${this.timelines} ${stepsRecorded(this.recordedFrom)} before ${stepsRecorded(this.recordedUntil)} after
      ${where} and before.steps is distinct from after.steps`;
  }

  statement(label: string, text: string): Statement {
    return statementOf(`${label}${this.isCorrections ? '-corrections' : ''}`, text, this.values);
  }
}

/** A page: rows of `entity_id`, `n` and `json`; the row after the page, if there is one, has no `json`. */
export function selectPeriods(search: PeriodSearch, size: number, place?: PeriodPlace): Statement {
  const sql = new PeriodSql(search);
  const $size = sql.bind('size', 'int', size);
  let after = '';
  if (place) {
    const entity = sql.bind('first_entity', 'uuid', place.entityId);
    const isAfter = sql.isCorrections ? '' : ` and (t.entity_id > ${entity} or p.n > ${sql.bind('skipped', 'int', place.skipped)})`;
    after = ` and t.entity_id >= ${entity}${isAfter}`;
  }
  return sql.statement(
    'periods-page',
    `
    with found as materialized (${sql.records(after)} order by entity_id, n limit ${$size} + 1)
    select f.entity_id, f.n, case when f.place <= ${$size} and (f.place = 1 or f.bytes <= ${MAX_PAGE_BYTES}) then f.json end as json
    from (
      select f.*, row_number() over page as place, sum(octet_length(f.json) + 1) over page as bytes
      from found f window page as (order by f.entity_id, f.n)
    ) f
    order by f.place`,
  );
}

/** Number of records up to an entity, or of all: `total`. */
export function countPeriods(search: PeriodSearch, until?: string): Statement {
  const sql = new PeriodSql(search);
  const records = sql.records(until === undefined ? '' : ` and t.entity_id < ${sql.bind('until', 'uuid', until)}`);
  return sql.statement('periods-count', `select count(*)::int as total from (${records}) counted`);
}

/** Number of entities that may have records: `total`. */
export function countCandidates(search: PeriodSearch): Statement {
  const sql = new PeriodSql(search);
  return sql.statement('periods-candidates', `select count(*)::int as total from ${sql.timelines} where ${sql.conditions}`);
}

/** The first entity beyond those that are counted one by one: `entity_id`, or no row. */
export function selectCountedUntil(search: PeriodSearch): Statement {
  const sql = new PeriodSql(search);
  const text = `select t.entity_id from ${sql.timelines} where ${sql.conditions} order by t.entity_id offset ${COUNTED} limit 1`;
  return sql.statement('periods-counted-until', text);
}

/** All steps, for COPY. */
export function exportPeriods(exportedAs: PeriodsAs, search: PeriodSearch): Statement {
  const sql = new PeriodSql(search);
  if (exportedAs === 'json') return sql.statement('periods-json', `select r.json from (${sql.records()}) r order by r.entity_id, r.n`);
  const columns = sql.members.map(({ name, sql: expression }) =>
    name === 'article_codes' ? 'a.article_code' : `${expression} as "${name}"`,
  );
  return sql.statement(
    'periods-columns',
    `select ${columns.join(', ')} from ${sql.timelines} ${sql.steps}
    cross join lateral json_array_elements_text(p.article_codes) with ordinality a (article_code, place)
    where ${sql.conditions} order by t.entity_id, p.n, a.place`,
  );
}
