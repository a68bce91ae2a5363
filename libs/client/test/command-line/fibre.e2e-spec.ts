import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fibre as run, fibreProcess, settings } from './command.js';
import { client, stack } from '../stack.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fibre-command-'));
});
afterAll(() => rm(folder, { recursive: true }));
const fibre = (args: string[], input?: string, environment = {}) => run(args, { ...settings(), ...environment }, input);

describe('search', () => {
  it('prints a table, or one line of JSON per result', async () => {
    const center = '47.0707, 15.4395';
    const { node_id } = await client().coverage.nodes.create({ relation_id: randomUUID(), token: 'operation', center });

    const asTable = await fibreProcess(['search', center, '--search-radius', '10'], settings());
    expect(asTable).toMatchObject({ code: 0, stderr: '' });
    expect(asTable.stdout).toMatch(/^distance +quality +token +status +center/);

    const asJson = await fibre(['search', center, '--search-radius', '10', '--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ node_id, quality: 'A', distance: 0 });
    expect(await fibre(['search', '0, 0', '--limit', '1'])).toEqual({
      code: 0,
      stdout: 'No production node within the radius.\n',
      stderr: '',
    });
  });

  it('finds nodes by the words of their address', async () => {
    const street = `Strassenweg${randomUUID().replaceAll(/[^a-z]/g, '')}`;
    const { nodes } = client().coverage;
    const { node_id } = await nodes.create({ relation_id: randomUUID(), token: 'operation', center: '47, 15', address: `${street} 5` });
    const { stdout } = await fibre(['search', '--words', `${street} 5`]);
    expect(stdout).toContain(node_id);
    expect(stdout).toContain(`${street} 5`);
    expect(await fibre(['search', '--words', `${street} 6`])).toMatchObject({
      code: 0,
      stdout: 'No production node has these words in its address.\n',
    });
    for (const flags of [['--limit', '1'], ['--address', 'x'], ['47, 15']])
      expect((await fibre(['search', '--words', street, ...flags])).code).toBe(2);
    await nodes.delete(node_id);
  });

  it('says that there may be more nodes than it shows, as a table and as JSON', async () => {
    const street = `Reihenweg${randomUUID().replaceAll(/[^a-z]/g, '')}`;
    const [relation_id, address_id] = [randomUUID(), randomUUID()];
    const { coverage } = client();
    const row = (index: number) => JSON.stringify({ token: 'operation', center: '47, 15', address_id, address: `${street} ${index}` });
    const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => row(from + index)).join('\n');
    await coverage.nodes.import(rows(0, 10), { relation_id }, { format: 'ndjson' });
    expect(await fibre(['search', '--words', street])).toMatchObject({ code: 0, stderr: '' });
    expect(await coverage.searchAddresses(street).withResponse()).toMatchObject({ hasMore: false });

    await coverage.nodes.import(rows(10, 101), { relation_id }, { format: 'ndjson' });
    const stderr = 'fibre: there may be others, or better ones: add a word\n';
    for (const flags of [[], ['--json']])
      expect(await fibre(['search', '--words', street, ...flags])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(street),
        stderr,
      });
    expect(await coverage.searchAddresses(street).withResponse()).toMatchObject({ hasMore: true });
    expect((await fibre(['search', '--address', address_id])).stderr).toBe('fibre: this address has more nodes\n');
    await coverage.nodes.deleteByRelation(relation_id);
  });

  it('finds the nodes at an address', async () => {
    const address_id = randomUUID();
    const { nodes } = client().coverage;
    const { node_id } = await nodes.create({ relation_id: randomUUID(), token: 'operation', center: '47, 15', address_id });
    expect((await fibre(['search', '--address', address_id])).stdout).toContain(node_id);
    expect(JSON.parse((await fibre(['search', '--address', address_id, '--json'])).stdout)).toMatchObject({ node_id, address_id });
    expect(await fibre(['search', '--address', address_id, '--token', 'planned'])).toMatchObject({
      code: 0,
      stdout: 'No production node at this address.\n',
    });
    for (const flags of [['47, 15'], ['--limit', '1'], ['--file', 'x.csv']])
      expect((await fibre(['search', '--address', address_id, ...flags])).code).toBe(2);
    await nodes.delete(node_id);
  });

  it('reports every error in the request and fails', async () => {
    const { code, stdout, stderr } = await fibre(['search', 'here', '--limit', '11']);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^fibre: 422 invalid-request: center: .+; limit: .+\n$/);
  });
});

it('relations lists your relations, or what ISPs see of every operator', async () => {
  const { relations, nodes } = client().coverage;
  const name = randomUUID();
  const { relation_id } = await relations.create({ name, pip: 'Stadtnetz', contact_email: 'wholesale@ano.example' });
  await nodes.create({ relation_id, token: 'planned', center: '47, 15' });

  const own = await fibre(['relations', '--name', name]);
  expect(own).toMatchObject({ code: 0, stderr: '' });
  expect(own.stdout).toMatch(/^relation_id +name +tenant +pip +contact_email\n/);
  expect(own.stdout).toContain(name);

  const first = await relations.create({ name: `${name} 2`, pip: name });
  const second = await relations.create({ name: `${name} 3`, pip: name });
  const newestFirst = await fibre(['relations', '--pip', name, '--order', 'desc', '--json']);
  expect(newestFirst.stdout.match(/"relation_id":"[^"]+/g)).toEqual([second, first].map((one) => `"relation_id":"${one.relation_id}`));

  const published = await fibre(['relations', '--published', '--tenant', 'ano.demo', '--json']);
  const found = published.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(found.find((relation) => relation['relation_id'] === relation_id)).toMatchObject({ contact_email: 'wholesale@ano.example' });
  expect(published.stdout).not.toContain(name);
  expect((await fibre(['relations', '--published', '--name', name])).code).toBe(2);
  await nodes.deleteByRelation(relation_id);
});

it('merge says what it did, or that there was nothing to do', async () => {
  const { nodes } = client().coverage;
  const relation_id = randomUUID();
  await nodes.create({ relation_id, token: 'planned', center: '48, 16' }, { target: 'prenodes' });

  expect(await fibre(['merge', relation_id])).toEqual({ code: 0, stdout: 'merge_action  count\nINSERT        1\n', stderr: '' });
  expect((await nodes.list({ relation_id })).items).toHaveLength(1);
  expect(await fibre(['merge', relation_id, '--json'])).toEqual({ code: 0, stdout: '{"action":[]}\n', stderr: '' });
});

it('counts what a refused import would have done, and names every refused line', async () => {
  const relation_id = randomUUID();
  const file = (...tokens: string[]): string =>
    ['token,center,customer_reference', ...tokens.map((token, n) => `${token},"48, 16",r${n}`), ''].join('\n');
  const importing = (input: string, ...more: string[]) =>
    fibre(['import', '-', '--format', 'csv', '--relation-id', relation_id, ...more], input);
  await importing(file('planned', 'planned'));
  const next = file('planned', 'operation', 'x', 'planned', 'x', 'x');
  for (const more of [[], ['--dry-run'], ['--mode', 'lax', '--dry-run']]) {
    const { code, stdout } = await importing(next, '--json', ...more);
    const counts = {
      rows: 6,
      created: 1,
      updated: 1,
      unchanged: 1,
      refused: 3,
      refused_lines: [
        [4, 4],
        [6, 7],
      ],
    };
    expect([code, JSON.parse(stdout)]).toEqual([1, expect.objectContaining(counts)]);
  }
  expect((await importing(next)).stdout).toMatch(/\n6 +1 +1 +1 +3\nNothing was imported: .+\n$/);
});

it('a file of nothing empties no relation', async () => {
  const relation_id = randomUUID();
  const sync = (input: string, ...more: string[]) =>
    fibre(['import', '-', '--format', 'csv', '--relation-id', relation_id, '--absent', 'delete', ...more], input);
  const header = 'token,center,customer_reference\n';
  expect(await sync(`${header}planned,"48, 16",a\n`)).toMatchObject({ code: 0 });
  for (const more of [[], ['--dry-run']]) {
    const refused = await sync(header, ...more);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^fibre: 422 too-many-deletions: No row names any of the 1 nodes .+\n.+max_deleted=1\.\n$/);
  }
  expect(await sync(header, '--max-deleted', '1')).toMatchObject({ code: 0 });
});

it('a backup restores what an import deleted, and what a merge wrote over', async () => {
  const { nodes } = client().coverage;
  const relation_id = randomUUID();
  const [before, between, after] = ['before.csv', 'between.csv', 'after.csv'].map((name) => join(folder, name)) as [string, string, string];
  const file = (token: string, from: number): string =>
    [
      'token,center,customer_reference,lot_id',
      ...Array.from({ length: 30 }, (_, n) => `${token},"48, 16",r${from + n},"1, ""${n}"""`),
      '',
    ].join('\n');
  const sync = (input: string, ...more: string[]) =>
    fibre(['import', '-', '--format', 'csv', '--relation-id', relation_id, '--absent', 'delete', ...more], input);
  const sorted = async (name: string) => (await readFile(name, 'utf8')).split('\r\n').sort();

  expect(await sync(file('planned', 0))).toMatchObject({ code: 0 });
  const refused = await sync(file('operation', 20));
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^fibre: 422 too-many-deletions: The import would delete 20 of the 30 nodes .+\n.+max_deleted=20\.\n$/);
  expect(await sync(file('operation', 20), '--max-deleted', '20', '--backup', before)).toMatchObject({ code: 0 });
  expect((await nodes.list({ relation_id })).items.map(({ customer_reference }) => customer_reference)).toContain('r40');
  await nodes.create({ relation_id, token: 'planned', center: '47, 15', customer_reference: 'r41' }, { target: 'prenodes' });
  expect(await fibre(['merge', relation_id, '--backup', between])).toMatchObject({ code: 0 });

  const restored = await fibre(['import', between, '--relation-id', relation_id, '--absent', 'delete', '--json']);
  expect(JSON.parse(restored.stdout)).toMatchObject({ created: 0, updated: 1, unchanged: 29, deleted: 0 });
  await fibre(['import', before, '--relation-id', relation_id, '--absent', 'delete', '--max-deleted', '20']);
  await fibre(['export', '--relation-id', relation_id, '-o', after]);
  expect(await sorted(after)).toEqual(await sorted(before));
});

describe('events put', () => {
  const activation = (entity_id: string) => ({
    entity_id,
    event_type: 'activation',
    event_at: '2026-01-01T10:00:00+01:00',
    sys_attributes: { partner_id: randomUUID(), article_codes: ['FIBRE-100'] },
  });

  it('records each line of a file once, and reports the rejected lines', async () => {
    const [first, second] = [activation(randomUUID()), activation(randomUUID())];
    const file = join(folder, 'events, "of" a day.ndjson');
    const twice = { ...first, event_at: '2026-01-02T10:00:00+01:00' };
    await writeFile(file, [first, second, twice].map((event) => JSON.stringify(event)).join('\n\n'));

    const { code, stdout, stderr } = await fibre(['events', 'put', file, '--json']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { at: 1, outcome: 'recorded', event_id: expect.any(String) },
      { at: 3, outcome: 'recorded', event_id: expect.any(String) },
      { at: 5, outcome: 'refused', detail: expect.stringContaining('event-order') },
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'fibre: 1 of 3 events refused\n' });
    expect((await client().events.list({ entity_id: first.entity_id })).items).toHaveLength(1);

    expect((await fibre(['events', 'put', file])).stdout).toMatch(/unchanged[^]*unchanged[^]*refused/);
  });

  it('sends numbers as written, so that the service rejects what it cannot store', async () => {
    const event = JSON.stringify({ ...activation(randomUUID()), usr_attributes: { serial: 0 } });
    const withSerial = (serial: string): string => event.replace('"serial":0', `"serial":${serial}`);
    for (const input of [withSerial('12345678901234567891'), `[${withSerial('12345678901234567891')}]`]) {
      expect(await fibre(['events', 'put', '-'], input)).toMatchObject({ code: 1, stdout: expect.stringContaining('#/usr_attributes') });
    }
    expect(await fibre(['events', 'put', '-'], withSerial('1.50'))).toMatchObject({ code: 0 });
  });

  it('records one event from stdin in a namespace', async () => {
    const event = activation(randomUUID());
    const input = JSON.stringify(event, undefined, 2);

    expect(await fibreProcess(['events', 'put', '-', '--namespace', 'a-test'], settings(), input)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('recorded'),
    });
    expect((await client().events.list({ entity_id: event.entity_id }, { namespace: 'a-test' })).items).toHaveLength(1);
    expect((await client().events.list({ entity_id: event.entity_id })).items).toEqual([]);
  });

  it('records an export again, in a namespace, with the offsets of its time zones', async () => {
    const entity_id = randomUUID();
    const of = (event_type: string, event_at: string, more: object = {}) => ({ entity_id, event_type, event_at, ...more });
    const input = [
      { ...activation(entity_id), usr_attributes: { price: 1.5, name: 'Müller' }, usr_reference: 'L-1' },
      of('update', '2026-07-01T10:00:00.123456+02:00', { sys_attributes: { article_codes: ['FIBRE-250'] } }),
      of('notification', '2026-10-25T02:30:00+02:00', { comment: 'the first 02:30' }),
      of('notification', '2026-10-25T02:30:00+01:00', { comment: 'the second' }),
      of('notification', '2026-03-01T12:00:00-03:30', { event_timezone: 'America/St_Johns' }),
      of('deactivation', '2026-11-01T00:00:00Z', { event_timezone: 'UTC' }),
    ];
    const put = (text: string, ...more: string[]) => fibre(['events', 'put', '-', ...more], text);
    expect(await put(JSON.stringify(input))).toMatchObject({ code: 0 });
    const exported = async (...more: string[]) =>
      (await fibre(['events', 'export', '--format', 'ndjson', '--entity-id', entity_id, ...more])).stdout.trim().split('\n');
    const lines = await exported();
    expect(lines).toHaveLength(input.length);

    const namespace = `again-${entity_id}`;
    for (const outcome of ['recorded', 'unchanged'])
      expect((await put(lines.join('\n'), '--namespace', namespace)).stdout.match(/recorded|unchanged|overwritten|refused/g)).toEqual(
        input.map(() => outcome),
      );
    const bare = (line: string) => {
      const event = JSON.parse(line) as Record<string, unknown>;
      return Object.fromEntries(Object.entries(event).filter(([name]) => !['event_id', 'created_at', 'modified_at'].includes(name)));
    };
    expect((await exported('--namespace', namespace)).map(bare)).toEqual(lines.map(bare));
    // As an array, and in production, where each event is recorded already.
    expect((await put(`[${lines.join(',')}]`)).stdout.match(/unchanged/g)).toHaveLength(input.length);
  });
});

it('entities erase clears personal data, and can be repeated', async () => {
  const entity_id = randomUUID();
  const event = { entity_id, event_type: 'notification', event_at: '2026-01-01T10:00:00+01:00', comment: 'a name' } as const;
  await client().events.put({ ...event, sys_attributes: { option82: 'port' } });
  const read = async () => (await client().events.list({ entity_id })).items[0];
  expect(await fibre(['entities', 'erase', entity_id])).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await read()).toMatchObject({ sys_attributes: { option82: 'port' } });
  expect(await read()).not.toHaveProperty('comment');
  expect((await fibre(['entities', 'erase', entity_id, '--line'])).code).toBe(0);
  expect(await read()).not.toHaveProperty('sys_attributes');
  expect((await fibre(['entities', entity_id])).stdout).toContain('announced');
  expect(await fibre(['entities', 'erase', randomUUID()])).toMatchObject({ code: 1, stderr: expect.stringContaining('404') });
});

describe('an unknown or forbidden client', () => {
  it('gets an error that says what is wrong', async () => {
    expect(await fibre(['merge', randomUUID()], '', { FIBRE_CLIENT_SECRET: 'wrong' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`No access token from ${stack.issuer}`),
    });
    expect(await fibre(['merge', randomUUID()], '', { FIBRE_CLIENT_ID: 'isp-demo', FIBRE_CLIENT_SECRET: 'isp-demo-secret' })).toMatchObject(
      { code: 1, stderr: expect.stringContaining('403 scope-missing') },
    );
  });
});
