import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import type { Response } from 'supertest';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, list, type Node, NODES, operator } from '../access-nodes/access-nodes.js';
import { exportFile, importFile } from './imports.js';

/** To replay a failing run, set MODEL_SEED and MODEL_PATH to the seed and path that it prints. */
const { MODEL_SEED, MODEL_PATH } = process.env;

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

const COLLECTIONS = ['nodes', 'prenodes'] as const;
type Collection = (typeof COLLECTIONS)[number];
/** Lots by reference; a node without a reference has a number instead. */
type State = ReadonlyMap<string, string>;
type States = Readonly<Record<Collection, State>>;

const REFERENCES = Array.from({ length: 24 }, (_, n) => `r${n}`);
const rows = fc.uniqueArray(fc.record({ reference: fc.constantFrom(...REFERENCES), lot: fc.constantFrom('', 'a', 'b') }), {
  selector: ({ reference }) => reference,
  maxLength: REFERENCES.length,
  size: 'max',
});
const target = fc.constantFrom(...COLLECTIONS);
const step = fc.oneof(
  fc.record({ kind: fc.constant('import' as const), target, rows, isDry: fc.boolean() }),
  fc.record({ kind: fc.constant('sync' as const), target, rows, isDry: fc.boolean(), most: fc.option(fc.nat({ max: 24 })) }),
  fc.record({ kind: fc.constant('merge' as const) }),
  fc.record({ kind: fc.constant('delete' as const), target }),
  fc.record({ kind: fc.constant('create' as const), target }),
  fc.record({ kind: fc.constant('save' as const), target }),
  fc.record({ kind: fc.constant('restore' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Rows = readonly { reference: string; lot: string }[];

const csv = (rows: Rows): string =>
  [
    'token,latitude,longitude,customer_reference,lot_id',
    ...rows.map(({ reference, lot }) => `planned,48.2,16.2,${reference},${lot}`),
    '',
  ].join('\n');

/** What an import does to a collection, and what it answers. */
function imported(before: State, sent: Rows, isWhole: boolean) {
  const named = new Set(sent.map(({ reference }) => reference));
  const kept = [...before].filter(([reference]) => !isWhole || named.has(reference));
  const [created, updated] = [
    sent.filter(({ reference }) => !before.has(reference)),
    sent.filter(({ reference, lot }) => (before.get(reference) ?? lot) !== lot),
  ];
  const counts = { rows: sent.length, created: created.length, updated: updated.length, deleted: before.size - kept.length };
  return { after: new Map([...kept, ...sent.map(({ reference, lot }) => [reference, lot] as const)]), counts };
}

/** A relation, and what should be in it. */
class Relation {
  readonly id = crypto.randomUUID();
  private states: States = { nodes: new Map(), prenodes: new Map() };
  private nodes: Readonly<Record<Collection, readonly Node[]>> = { nodes: [], prenodes: [] };
  private saved?: { target: Collection; state: State; file: string };
  private nameless = 0;

  async take(step: Step): Promise<void> {
    const before = this.states;
    const answer = await this.send(step);
    const found = { nodes: await this.read('nodes'), prenodes: await this.read('prenodes') };
    for (const collection of COLLECTIONS) this.compare(collection, before[collection], found[collection], step);
    this.nodes = found;
    if (answer) expect(answer.status).toBeLessThan(500);
  }

  private async send(step: Step): Promise<Response | undefined> {
    const relation_id = this.id;
    switch (step.kind) {
      case 'import':
      case 'sync':
        return this.import(step.target, step.rows, csv(step.rows), step.isDry, step.kind === 'sync' ? (step.most ?? 'default') : undefined);
      case 'restore': {
        if (!this.saved) return undefined;
        const { target, state, file } = this.saved;
        if ([...state.keys()].some((reference) => !REFERENCES.includes(reference))) {
          const answer = await importFile(ano, file, { query: { relation_id, target, absent: 'delete', max_deleted: '1000' } });
          expect(answer.body).toMatchObject({ code: 'import-refused' });
          return answer;
        }
        return this.import(
          target,
          [...state].map(([reference, lot]) => ({ reference, lot })),
          file,
          false,
          1000,
        );
      }
      case 'merge': {
        const { nodes, prenodes } = this.states;
        const answer = await ano.put(NODES).query({ relation_id });
        const updates = [...prenodes.keys()].filter((reference) => nodes.has(reference)).length;
        const counts = { INSERT: prenodes.size - updates, UPDATE: updates };
        const action = Object.entries(counts).flatMap(([merge_action, count]) => (count > 0 ? [{ count, merge_action }] : []));
        expect(answer.body).toEqual({ action });
        this.states = { nodes: new Map([...nodes, ...prenodes]), prenodes: new Map() };
        return answer;
      }
      case 'delete':
        this.states = { ...this.states, [step.target]: new Map() };
        return ano.delete(NODES).query({ relation_id, target: step.target });
      case 'create':
        this.states = {
          ...this.states,
          [step.target]: new Map([...this.states[step.target], [`nameless ${this.nameless++}`, 'nameless']]),
        };
        await create(ano, { relation_id, lot_id: 'nameless' }, step.target);
        return undefined;
      case 'save':
        this.saved = {
          target: step.target,
          state: this.states[step.target],
          file: await exportFile(ano, 'csv', { relation_id, target: step.target }),
        };
        return undefined;
    }
  }

  private async import(target: Collection, sent: Rows, file: string, isDry: boolean, most?: number | 'default'): Promise<Response> {
    const before = this.states[target];
    const { after, counts } = imported(before, sent, most !== undefined);
    const answer = await importFile(ano, file, {
      query: {
        relation_id: this.id,
        target,
        dry_run: String(isDry),
        ...(most !== undefined && { absent: 'delete' }),
        ...(typeof most === 'number' && { max_deleted: String(most) }),
      },
    });
    const namesNone = counts.deleted === before.size;
    const isRefused = counts.deleted > (typeof most === 'number' ? most : namesNone ? 0 : Math.max(10, Math.floor(before.size / 10)));
    expect(answer.body).toMatchObject({ ...counts, ...(isRefused && { code: 'too-many-deletions' }) });
    expect(answer.status).toBe(isRefused ? 422 : 200);
    if (!isRefused && !isDry) this.states = { ...this.states, [target]: after };
    return answer;
  }

  private read(target: Collection): Promise<Node[]> {
    return list(ano, { relation_id: this.id, target, _page_size: 2000 });
  }

  /** Compares a collection with the model. A node that the step should not have changed is as it was, with its time. */
  private compare(collection: Collection, before: State, found: readonly Node[], { kind }: Step): void {
    const after = this.states[collection];
    const textOf = (state: State) => [...state].map(([reference, lot]) => `${reference.replace(/^(nameless).*/, '$1')} ${lot}`).sort();
    const shown = found.map(({ customer_reference = 'nameless', lot_id = '' }) => `${customer_reference} ${lot_id}`);
    expect([kind, collection, shown.sort()]).toEqual([kind, collection, textOf(after)]);
    for (const node of this.nodes[collection]) {
      const { customer_reference: reference, node_id, created_at } = node;
      if (reference === undefined || !after.has(reference)) continue;
      const now = found.find(({ customer_reference }) => customer_reference === reference)!;
      // A deletion and a later import create a new node; no single step does so.
      expect(now).toMatchObject(after.get(reference) === before.get(reference) ? node : { node_id, created_at });
    }
  }
}

test('any sequence of imports, syncs, merges, deletions and restores does what a model predicts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16, size: 'max' }), async (steps) => {
      const relation = new Relation();
      for (const one of steps) await relation.take(one);
    }),
    {
      numRuns: volume(10, 50, 1_000),
      ...(MODEL_SEED !== undefined && { seed: Number(MODEL_SEED) }),
      ...(MODEL_PATH !== undefined && { path: MODEL_PATH }),
    },
  );
}, 1_800_000);
