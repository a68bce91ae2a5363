import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENTITY, type EntityAnswer, type EntityRequest } from './entity.js';
import { isLinearizable, type Model, type Operation } from './linearizable.js';
import { RELATION, type RelationAnswer, type RelationRequest, type SeenNode } from './relation.js';
import { type Answer, type Replica, send } from './stack.js';

const CLIENTS = 4;
const PER_CLIENT = 6;
const PAUSE_MS = 50;
/** Longer than any fault lasts. */
const GIVE_UP_MS = 120_000;

/** What the requests about one entity or relation showed. */
export interface History {
  readonly key: string;
  readonly operations: readonly Operation<unknown, unknown>[];
  /** May take many seconds if many answers were lost, so it must not be asked while there is traffic. */
  isLinearizable(): boolean;
  /** Ids of records that were acknowledged, and of those that the last list returned. */
  readonly created: readonly string[];
  readonly remaining: readonly string[];
}

/** One kind of traffic: random requests about a key, and the model that says which answers are possible. */
export interface Kind<Input, Output> {
  readonly model: Model<unknown, Input, Output>;
  /** Reads everything about the key. */
  readonly lists: readonly Input[];
  /** What the model does first, at another time during the request. */
  firstStep?(input: Input): Input | undefined;
  choose(key: string, seen: readonly Output[]): Input;
  request(key: string, input: Input, url: string, token: string): Promise<Answer>;
  output(input: Input, answer: Answer): Output;
  idsOf(output: Output): readonly string[];
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;

interface Event {
  event_id: string;
  event_type: string;
  event_at: string;
  usr_reference: string;
}
const EVENTS = '/api/v2/sys/events/';
const TYPES = ['activation', 'activation', 'update', 'update', 'deactivation', 'notification'];

/** @param partners the ISPs that activations name */
export const entitiesOf = (partners: readonly string[]): Kind<EntityRequest, EntityAnswer> => ({
  model: ENTITY,
  lists: [{ do: 'list' }],
  choose() {
    if (Math.random() < 0.3) return { do: 'list' };
    const type = pick(TYPES);
    const at = `2026-01-0${1 + Math.floor(Math.random() * 5)}`;
    const partner_reference = type === 'deactivation' || type === 'notification' ? undefined : pick([undefined, 'a']);
    const partner_id = type === 'activation' ? pick(partners) : undefined;
    return { do: 'put', type, at, partner_id, partner_reference, usr_reference: pick(['1', '2']) };
  },
  request(entity_id, input, url, token) {
    if (input.do === 'list') return send('GET', `${url}${EVENTS}?entity_id=${entity_id}`, token);
    const { type, at, partner_id, partner_reference, usr_reference } = input;
    const attributes: Record<string, object> = {
      activation: { partner_id, article_codes: ['FIBRE-100'], partner_reference },
      update: { article_codes: ['FIBRE-250'], partner_reference },
    };
    return send('PUT', `${url}${EVENTS}`, token, {
      entity_id,
      event_type: type,
      event_at: `${at}T12:00:00+01:00`,
      usr_reference,
      ...(type in attributes && { sys_attributes: attributes[type] }),
    });
  },
  output(input, { status, body }) {
    const events = status < 300 ? (input.do === 'list' ? (body as Event[]) : [body as Event]) : undefined;
    return {
      status,
      code: status === 409 ? (body as { code: string }).code : undefined,
      events: events?.map(({ event_id, event_type: type, event_at, usr_reference }) => ({
        event_id,
        type,
        usr_reference,
        at: event_at.slice(0, 10),
      })),
    };
  },
  idsOf: ({ events = [] }) => events.map(({ event_id }) => event_id),
});

const NODES = '/v2/cov/nodes/';
let merges = 0;

export const RELATIONS: Kind<RelationRequest, RelationAnswer> = {
  model: RELATION,
  lists: [
    { do: 'list', target: 'prenodes' },
    { do: 'list', target: 'nodes' },
  ],
  firstStep: (input) => (input.do === 'merge' ? { ...input, do: 'choose' } : undefined),
  choose(_key, seen) {
    // The latest nodes, so that requests about the same node are concurrent.
    const known = seen.flatMap(({ nodes = [] }) => nodes).slice(-2);
    const action =
      known.length === 0
        ? 'create'
        : pick(['create', 'create', 'patch', 'patch', 'patch', 'read', 'read', 'read', 'read', 'delete', 'merge', 'list']);
    const target = pick(['prenodes', 'prenodes', 'nodes']);
    const lot_id = randomUUID();
    switch (action) {
      case 'create':
        return { do: action, target, customer_reference: pick([undefined, 'a', 'b']), lot_id };
      case 'patch': {
        const { node_id } = pick(known);
        const versions = seen.flatMap(({ nodes = [], etag }) => (etag !== undefined && nodes[0]?.node_id === node_id ? [etag] : []));
        return { do: action, node_id, lot_id, ifMatch: pick([undefined, versions.at(-1)]) };
      }
      case 'read':
      case 'delete':
        return { do: action, node_id: pick(known).node_id };
      case 'merge':
        return { do: action, merge: merges++ };
      default:
        return { do: 'list', target };
    }
  },
  request(relation_id, input, url, token) {
    switch (input.do) {
      case 'create': {
        const { target, customer_reference, lot_id } = input;
        const node = { relation_id, token: 'planned', center: '48.2, 16.3', customer_reference, lot_id };
        return send('POST', `${url}${NODES}?target=${target}`, token, node);
      }
      case 'patch': {
        const { node_id, lot_id, ifMatch } = input;
        return send('PATCH', `${url}${NODES}${node_id}/`, token, { lot_id }, ifMatch === undefined ? {} : { 'if-match': ifMatch });
      }
      case 'read':
        return send('GET', `${url}${NODES}${input.node_id}/`, token);
      case 'delete':
        return send('DELETE', `${url}${NODES}${input.node_id}/`, token);
      case 'choose':
      case 'merge':
        return send('PUT', `${url}${NODES}?relation_id=${relation_id}`, token);
      case 'list':
        return send('GET', `${url}${NODES}?relation_id=${relation_id}&target=${input.target}`, token);
    }
  },
  output(input, { status, etag, body }) {
    if (status >= 300 || input.do === 'delete') return { status };
    if (input.do === 'merge') {
      const { action } = body as { action: { count: number; merge_action: string }[] };
      const count = (kind: string): number => action.find(({ merge_action }) => merge_action === kind)?.count ?? 0;
      return { status, merged: { inserted: count('INSERT'), updated: count('UPDATE') } };
    }
    const nodes = (input.do === 'list' ? body : [body]) as SeenNode[];
    return { status, etag, nodes: nodes.map(({ node_id, customer_reference, lot_id }) => ({ node_id, customer_reference, lot_id })) };
  },
  idsOf: ({ nodes = [] }) => nodes.map(({ node_id }) => node_id),
};

/** Numbers of attempts, and the times of acknowledgements. */
export class Tally {
  requests = 0;
  unknown = 0;
  readonly acknowledged: number[] = [];
}

/** Several clients send requests about one key to all replicas at once. Requests that were refused without effect are not part of the history. */
export async function record<Input, Output>(
  kind: Kind<Input, Output>,
  replicas: readonly Pick<Replica, 'url'>[],
  token: string,
  tally: Tally,
): Promise<History> {
  const key = randomUUID();
  const operations: Operation<Input, Output>[] = [];
  const seen: Output[] = [];
  const note = (operation: Operation<Input, Output>): void => {
    const first = kind.firstStep?.(operation.input);
    if (first) operations.push({ ...operation, input: first, output: undefined });
    operations.push(operation);
  };
  const run = async (input: Input): Promise<void> => {
    const begin = performance.now();
    for (;;) {
      const start = performance.now();
      if (start > begin + GIVE_UP_MS) throw new Error(`no answer to ${JSON.stringify(input)} in ${GIVE_UP_MS / 1_000} s`);
      tally.requests++;
      const answer = await kind.request(key, input, pick(replicas).url, token).catch((error: NodeJS.ErrnoException) => error);
      const end = performance.now();
      if (answer instanceof Error && answer.code === 'ABORT_ERR')
        throw new Error(`no answer to ${JSON.stringify(input)}`, { cause: answer });
      const isRead = ['list', 'read'].includes((input as { do: string }).do);
      if (answer instanceof Error && (answer.code === 'ECONNREFUSED' || isRead)) await sleep(PAUSE_MS);
      else if (answer instanceof Error || (answer.body as { code?: string } | null)?.code === 'outcome-unknown') {
        tally.unknown++;
        note({ input, start, end: Infinity });
        return;
      } else if (answer.status === 503) await sleep(PAUSE_MS);
      else {
        const output = kind.output(input, answer);
        note({ input, start, end, output });
        seen.push(output);
        tally.acknowledged.push(end);
        return;
      }
    }
  };
  const client = async (): Promise<void> => {
    for (let n = 0; n < PER_CLIENT; n++) await run(kind.choose(key, seen));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  for (const input of kind.lists) await run(input);
  return {
    key,
    operations,
    isLinearizable: () => isLinearizable(operations, kind.model),
    created: operations.flatMap(({ output }) => ((output as { status?: number } | undefined)?.status === 201 ? kind.idsOf(output!) : [])),
    remaining: operations.slice(-kind.lists.length).flatMap(({ output }) => (output ? kind.idsOf(output) : [])),
  };
}
