import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { volume } from '@fibre/testing/volume';
import { type NewEvent, type PutOutcome } from '../src/index.js';
import { fibre as run, settings, startFibre } from './command-line/command.js';
import { client } from './stack.js';

/** The events of an entity: an activation and updates, one a day. */
const lifeOf = (entity_id: string, length: number): NewEvent[] =>
  Array.from({ length }, (_, index) => ({
    entity_id,
    event_at: new Date(Date.UTC(2026, 0, index + 1)).toISOString(),
    event_timezone: 'UTC',
    ...(index === 0
      ? { event_type: 'activation', sys_attributes: { partner_id: randomUUID(), article_codes: ['A'] } }
      : { event_type: 'update', sys_attributes: { article_codes: [`A${index}`] } }),
  }));

/** A client that counts its requests, and those that are under way. */
function counted() {
  const seen = { most: 0, requests: 0, perEntity: new Map<string, number>(), overlaps: 0 };
  let underWay = 0;
  const { events } = client('ano-demo', {
    fetch: async (request) => {
      const { entity_id } = (await request.clone().json()) as { entity_id: string };
      const ofEntity = (seen.perEntity.get(entity_id) ?? 0) + 1;
      seen.perEntity.set(entity_id, ofEntity);
      if (ofEntity > 1) seen.overlaps++;
      seen.most = Math.max(seen.most, ++underWay);
      const answer = fetch(request).then((response) => {
        // On a busy machine, the service may refuse a request, which the client then repeats.
        if (response.status !== 503) seen.requests++;
        return response;
      });
      return answer.finally(() => {
        underWay--;
        seen.perEntity.set(entity_id, seen.perEntity.get(entity_id)! - 1);
      });
    },
  });
  return { events, seen };
}

async function all(outcomes: AsyncIterable<PutOutcome>): Promise<PutOutcome[]> {
  const list: PutOutcome[] = [];
  for await (const outcome of outcomes) list.push(outcome);
  return list;
}

it.each(['sorted by entity', 'sorted by time'])('sends 16 entities at a time and each of them in order: %s', async (order) => {
  const { events, seen } = counted();
  const lives = Array.from({ length: volume(20, 40) }, () => lifeOf(randomUUID(), 6));
  const sent = order === 'sorted by entity' ? lives.flat() : lives[0]!.flatMap((_, day) => lives.map((life) => life[day]!));
  const outcomes = await all(events.putAll(sent));
  expect(outcomes.map((one) => [one.outcome, 'event' in one && [one.event?.entity_id, one.event?.event_at.slice(0, 10)]])).toEqual(
    sent.map(({ entity_id, event_at }) => ['recorded', [entity_id, event_at.slice(0, 10)]]),
  );
  expect(seen).toMatchObject({ most: 16, overlaps: 0, requests: sent.length });
  expect((await all(events.putAll(sent))).map(({ outcome }) => outcome)).toEqual(sent.map(() => 'unchanged'));
});

it('skips the later events of an entity after a refused one, and no others', async () => {
  const { events, seen } = counted();
  const [bad, good] = [lifeOf(randomUUID(), 4), lifeOf(randomUUID(), 4)];
  bad[1] = { ...bad[1]!, event_type: 'activation', sys_attributes: { partner_id: randomUUID(), article_codes: ['A'] } };
  bad[2] = { ...bad[2]!, entity_id: bad[2]!.entity_id.toUpperCase() };
  const outcomes = await all(events.putAll(bad.flatMap((event, index) => [event, good[index]!])));
  expect(outcomes.filter((_, index) => index % 2 === 0).map(({ outcome }) => outcome)).toEqual([
    'recorded',
    'refused',
    'skipped',
    'skipped',
  ]);
  expect(outcomes.filter((_, index) => index % 2 === 1).map(({ outcome }) => outcome)).toEqual(Array(4).fill('recorded'));
  expect(outcomes[2]).toMatchObject({ error: { code: 'event-order' } });
  expect(seen.requests).toBe(6);
});

it('a dry run records nothing', async () => {
  const { events } = client();
  const life = lifeOf(randomUUID(), 1);
  expect(await all(events.putAll(life, { dryRun: true }))).toEqual([{ outcome: 'recorded' }]);
  expect(await events.check(life[0]!)).toEqual({ outcome: 'created' });
  await events.put(life[0]!);
  const again = [life[0]!, { ...life[0]!, comment: 'other' }];
  expect(await all(events.putAll(again, { dryRun: true }))).toEqual([{ outcome: 'unchanged' }, { outcome: 'overwritten' }]);
  expect((await events.list({ entity_id: life[0]!.entity_id })).items).toHaveLength(1);
});

it('returns the outcomes of all earlier events before it fails, and stops', async () => {
  const { events } = client();
  const life = lifeOf(randomUUID(), 3);
  const source = (function* () {
    yield* life;
    throw new Error('the disk is gone');
  })();
  const outcomes: string[] = [];
  await expect(
    (async () => {
      for await (const { outcome } of events.putAll(source)) outcomes.push(outcome);
    })(),
  ).rejects.toThrow('the disk is gone');
  expect(outcomes).toEqual(['recorded', 'recorded', 'recorded']);
});

describe('fibre events put', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fibre-put-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const write = async (events: readonly NewEvent[]): Promise<string> => {
    const file = join(folder, `${randomUUID()}.ndjson`);
    await writeFile(file, events.map((event) => JSON.stringify(event)).join('\n'));
    return file;
  };

  it('reports refused and skipped events in the order of the file, and --dry-run writes nothing', async () => {
    const [life, other] = [lifeOf(randomUUID(), 3), lifeOf(randomUUID(), 1)];
    const file = await write([life[1]!, life[0]!, ...other, life[2]!]);
    const dry = await run(['events', 'put', file, '--dry-run'], settings());
    expect(dry).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/refused[^]*skipped[^]*recorded[^]*skipped[^]*Dry run: nothing was recorded\.\n$/),
    });
    expect((await client().events.list({ entity_id: other[0]!.entity_id })).items).toEqual([]);
    const { code, stdout, stderr } = await run(['events', 'put', file, '--json'], settings());
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { at: number; outcome: string });
    expect(lines.map(({ at, outcome }) => [at, outcome])).toEqual([
      [1, 'refused'],
      [2, 'skipped'],
      [3, 'recorded'],
      [4, 'skipped'],
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'fibre: 1 of 4 events refused, 2 later events of the same entities skipped\n' });
  });

  it('after SIGINT, the same file records the rest, and every event once', async () => {
    const lives = Array.from({ length: volume(60, 150) }, () => lifeOf(randomUUID(), 5));
    const file = await write(lives.flat());
    const child = startFibre(['events', 'put', file, '--json'], settings());
    let lines = 0;
    child.stderr.resume();
    const output = createInterface({ input: child.stdout });
    output.on('line', () => ++lines === 100 && child.kill('SIGINT'));
    await once(output, 'close');
    expect(lines).toBeLessThan(lives.flat().length);
    expect((await run(['events', 'put', file], settings())).code).toBe(0);
    const { events } = client();
    for (const life of lives) expect((await events.list({ entity_id: life[0]!.entity_id })).items).toHaveLength(life.length);
  }, 120_000);
});
