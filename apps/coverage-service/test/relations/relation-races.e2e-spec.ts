import { startTestService, type TestService } from '@fibre/testing';
import pg from 'pg';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, operator, problemOf, refusal } from '../access-nodes/access-nodes.js';
import { createRelation, newRelation, type Relation, RELATIONS, relationUrl } from './relations.js';
import { untilBlocked } from '../database/sql.js';

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

const times = <T>(count: number, work: (index: number) => PromiseLike<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const named = async (name: string): Promise<Relation[]> => (await ano.get(RELATIONS).query({ name })).body as Relation[];

test('of 50 concurrent requests to create a relation with the same name, one succeeds and the others get 409 with its id', async () => {
  const answers = await times(50, () => ano.post(RELATIONS).send(newRelation({ name: 'once' })));
  const winners = answers.filter(({ status }) => status === 201);
  expect(winners).toHaveLength(1);
  const losers = answers.filter(({ status }) => status === 409);
  expect(losers).toHaveLength(49);
  const { relation_id } = winners[0]!.body as Relation;
  for (const { body } of losers) expect(body).toMatchObject({ code: 'relation-name-taken', conflicts_with: [{ relation_id }] });
  expect(await named('once')).toEqual([winners[0]!.body]);
});

test('when 30 relations try to take the same name at the same time, exactly one gets it', async () => {
  const relations: Relation[] = [];
  for (let n = 0; n < 30; n++) relations.push(await createRelation(ano));
  const answers = await Promise.all(relations.map((relation) => ano.patch(relationUrl(relation)).send({ name: 'wanted' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 29 }, () => 409)]);
  expect(await named('wanted')).toHaveLength(1);
});

test('exactly one of several concurrent changes with the same If-Match wins', async () => {
  const relation = await createRelation(ano);
  const answers = await times(30, (n) =>
    ano
      .patch(relationUrl(relation))
      .set('if-match', '"1"')
      .send({ pip: `pip ${n}` }),
  );
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(29);
  expect((await ano.get(relationUrl(relation))).body).toMatchObject(winners[0]!.body as Relation);
});

test('one of several concurrent deletions returns 204, and the others return 404', async () => {
  const relation = await createRelation(ano);
  const answers = await times(20, () => ano.delete(relationUrl(relation)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
});

test("two relations that try to take each other's names at the same time never end up with the same name", async () => {
  const [one, two] = [await createRelation(ano), await createRelation(ano)];
  const holders = [new pg.Client({ connectionString: service.databaseUrl }), new pg.Client({ connectionString: service.databaseUrl })];
  await Promise.all(holders.map((holder) => holder.connect()));
  try {
    // Each change has locked its own row before it checks the other name, so the server aborts one of them because of a deadlock.
    for (const [holder, { relation_id }] of [
      [holders[0]!, one],
      [holders[1]!, two],
    ] as const) {
      await holder.query('begin');
      await holder.query('select from relation where relation_id = $1 for update', [relation_id]);
    }
    const changes = [ano.patch(relationUrl(one)).send({ name: two.name }), ano.patch(relationUrl(two)).send({ name: one.name })].map(
      (change) => change.then((answer) => answer),
    );
    await untilBlocked(service.databaseUrl, 2);
    await Promise.all(holders.map((holder) => holder.query('rollback')));
    for (const answer of await Promise.all(changes)) {
      if (answer.status !== 200) expect(problemOf(answer)).toEqual(refusal(409, 'relation-name-taken'));
    }
  } finally {
    await Promise.all(holders.map((holder) => holder.end()));
  }
  const names = [one, two].map(async (relation) => ((await ano.get(relationUrl(relation))).body as Relation).name);
  expect(new Set(await Promise.all(names)).size).toBe(2);
});
