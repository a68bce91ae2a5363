import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fibre as run, settings } from './command.js';
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
    const { node_id } = await client().coverage.nodes.create({
      relation_id: randomUUID(),
      token: 'operation',
      center,
      technology: 'x\x1b[2Jy',
    });

    const asTable = await fibre(['search', center, '--search-radius', '10']);
    expect(asTable).toMatchObject({ code: 0, stderr: '' });
    expect(asTable.stdout).toMatch(/^distance +quality +token +technology +status +center/);
    // Text from another operator must not control the terminal.
    expect(asTable.stdout).toContain(String.raw`x\u001b[2Jy`);

    const asJson = await fibre(['search', center, '--search-radius', '10', '--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ node_id, quality: 'A', distance: 0 });
    expect(await fibre(['search', '0, 0', '--limit', '1'])).toEqual({
      code: 0,
      stdout: 'No production node within the radius.\n',
      stderr: '',
    });
  });

  it('reports every error in the request and fails', async () => {
    const { code, stdout, stderr } = await fibre(['search', 'here', '--limit', '11']);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^fibre: 422 invalid-request: center: .+; limit: .+\n$/);
  });
});

it('merge says what it did, or that there was nothing to do', async () => {
  const { nodes } = client().coverage;
  const relation_id = randomUUID();
  await nodes.create({ relation_id, token: 'planned', center: '48, 16' }, { target: 'prenodes' });

  expect(await fibre(['merge', relation_id])).toEqual({ code: 0, stdout: 'merge_action  count\nINSERT        1\n', stderr: '' });
  expect((await nodes.list({ relation_id })).items).toHaveLength(1);
  expect(await fibre(['merge', relation_id, '--json'])).toEqual({ code: 0, stdout: '{"action":[]}\n', stderr: '' });
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

    expect(await fibre(['events', 'put', '-', '--namespace', 'a-test'], input)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('recorded'),
    });
    expect((await client().events.list({ entity_id: event.entity_id }, { namespace: 'a-test' })).items).toHaveLength(1);
    expect((await client().events.list({ entity_id: event.entity_id })).items).toEqual([]);
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
