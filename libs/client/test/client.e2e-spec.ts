import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type NewEvent, type Page } from '../src/index.js';
import { client, WORKSPACE } from './stack.js';

const CENTER = '48.2108, 16.3575';

it('creates, reads, changes and deletes a node', async () => {
  const { nodes } = client().coverage;
  const relation_id = randomUUID();

  const created = await nodes.create({ relation_id, token: 'planned', center: CENTER, technology: 'ftth' }, { target: 'prenodes' });
  expect(created).toMatchObject({ relation_id, token: 'planned', collection: 'prenodes', tenant: 'ano.demo' });

  const { data, response } = await nodes.read(created.node_id).withResponse();
  expect(data).toEqual(created);
  const ifMatch = response.headers.get('etag')!;
  expect(await nodes.update(created.node_id, { token: 'operation', technology: null }, { ifMatch })).toMatchObject({ token: 'operation' });
  await expect(nodes.update(created.node_id, { token: 'planned' }, { ifMatch })).rejects.toMatchObject({
    status: 412,
    code: 'precondition-failed',
  });

  const several = (token: 'operation' | 'construction', dryRun: boolean) => nodes.updateMany([created.node_id], { token }, { dryRun });
  expect(await several('construction', true)).toEqual({ updated: 1, unchanged: 0 });
  expect(await several('operation', false)).toEqual({ updated: 0, unchanged: 1 });

  expect(await nodes.merge(relation_id)).toEqual({ action: [{ count: 1, merge_action: 'INSERT' }] });
  expect(await nodes.merge(relation_id)).toEqual({ action: [] });
  expect(await nodes.deleteMany([created.node_id], { dryRun: true })).toEqual({ deleted: 1 });
  expect(await nodes.delete(created.node_id)).toBeUndefined();
  await expect(nodes.read(created.node_id)).rejects.toMatchObject({ status: 404, code: 'not-found', requestId: expect.any(String) });
});

it('iterates over the records and the pages of a listing, and deletes the records in bulk', async () => {
  const { nodes } = client().coverage;
  const relation_id = randomUUID();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await nodes.create({ relation_id, token: 'planned', center: CENTER })).node_id);

  const records = [];
  for await (const { node_id } of nodes.list({ relation_id, _page_size: 2 })) records.push(node_id);
  expect(records).toEqual(ids);

  const pages: Page<unknown>[] = [];
  for await (const page of nodes.list({ relation_id, _page_size: 2 }).pages()) pages.push(page);
  expect(pages.map(({ items, pageCount }) => [items.length, pageCount])).toEqual([2, 2, 1].map((length) => [length, 3]));

  expect((await nodes.list({ relation_id, _page_size: 2 })).items).toHaveLength(2);
  await nodes.deleteByRelation(relation_id, { target: 'prenodes' });
  expect((await nodes.list({ relation_id })).items).toHaveLength(5);
  await nodes.deleteByRelation(relation_id);
  expect((await nodes.list({ relation_id })).items).toEqual([]);
});

it('searches, even for a provider that may only search', async () => {
  const { node_id } = await client().coverage.nodes.create({ relation_id: randomUUID(), token: 'operation', center: '47.07, 15.44' });
  const { coverage } = client('isp-demo');

  expect(await coverage.search({ center: '47.07, 15.4401', search_radius: 50 })).toMatchObject([{ node_id, quality: 'A' }]);
  await expect(coverage.nodes.list()).rejects.toMatchObject({ status: 403, code: 'scope-missing' });
});

it('says who is behind a node, even to a provider that may only search', async () => {
  const { relations, nodes } = client().coverage;
  const name = randomUUID();
  const { relation_id } = await relations.create({ name, pip: 'Stadtnetz', operator: 'Glasfaser', order_url: 'https://ano.example/order' });
  const { publishedRelations } = client('isp-demo').coverage;
  await expect(publishedRelations.read(relation_id)).rejects.toMatchObject({ status: 404 });
  await nodes.create({ relation_id, token: 'operation', center: CENTER });

  const published = { relation_id, tenant: 'ano.demo', pip: 'Stadtnetz', operator: 'Glasfaser', order_url: 'https://ano.example/order' };
  expect(await publishedRelations.read(relation_id)).toEqual({
    ...published,
    nodes: { planned: 0, construction: 0, operation: 1 },
    modified_at: expect.any(String),
  });
  const { coverage } = client('isp-demo');
  const file = await new Response(await coverage.export({ format: 'ndjson', relation_id })).text();
  expect(JSON.parse(file)).toMatchObject({ relation_id, collection: 'nodes', token: 'operation' });
  const found = [];
  for await (const relation of publishedRelations.list({ tenant: 'ano.demo', _page_size: 1 })) found.push(relation.relation_id);
  expect(found).toContain(relation_id);
  await nodes.deleteByRelation(relation_id);
});

it('searches by the words of an address', async () => {
  const street = `Größenweg${randomUUID().replaceAll(/[^a-z]/g, '')}`;
  const address = `${street} 12a, 4020 Linz`;
  const { coverage } = client();
  const { node_id } = await coverage.nodes.create({ relation_id: randomUUID(), token: 'operation', center: CENTER, address });
  expect(await coverage.searchAddresses(`linz ${street.toUpperCase()} 12`)).toMatchObject([{ node_id, address }]);
  expect(await coverage.searchAddresses(street, { token: 'planned' })).toEqual([]);
  expect(await coverage.find(street)).toMatchObject([{ id: node_id, label: address, matched: 'address' }]);
  await coverage.nodes.delete(node_id);
});

it('searches by address id, alone and in a file', async () => {
  const address_id = `id/${randomUUID()}`;
  const { nodes } = client().coverage;
  const { node_id } = await nodes.create({ relation_id: randomUUID(), token: 'operation', center: CENTER, address_id });
  const { coverage } = client('isp-demo');
  expect(await coverage.searchAddress(address_id)).toMatchObject([{ node_id, address_id }]);
  expect(await coverage.searchAddress(address_id, { token: 'planned' })).toEqual([]);
  const found = [];
  const file = `address_id\n${address_id}\nnowhere\n`;
  for await (const { results } of coverage.searchMany(file, {}, { format: 'csv' })) found.push(results?.map((result) => result.node_id));
  expect(found).toEqual([[node_id], []]);
  await nodes.delete(node_id);
});

it('reads a tile with nodes', async () => {
  const { coverage } = client();
  const { relation_id } = await coverage.nodes.create({ relation_id: randomUUID(), token: 'operation', center: CENTER });
  const world = { z: 0, x: 0, y: 0 };

  expect((await coverage.tile(world, { relation_id })).byteLength).toBeGreaterThan(0);
  expect((await coverage.tile(world, { relation_id: randomUUID() })).byteLength).toBe(0);
  await expect(coverage.tile({ ...world, x: 1 })).rejects.toMatchObject({ status: 404, code: 'not-found' });
});

it('reports every error in a request', async () => {
  const { nodes } = client().coverage;
  const faulty = { relation_id: 'x', token: 'planned', center: 'here' } as const;

  await expect(nodes.create(faulty)).rejects.toMatchObject({
    status: 422,
    code: 'invalid-request',
    errors: expect.arrayContaining([
      expect.objectContaining({ pointer: '#/relation_id' }),
      expect.objectContaining({ pointer: '#/center' }),
    ]),
  });
});

it('records an event once, and reads it by entity and by namespace', async () => {
  const { events } = client();
  const activation: NewEvent = {
    entity_id: randomUUID(),
    event_type: 'activation',
    event_at: '2026-01-01T10:00:00+01:00',
    sys_attributes: { partner_id: randomUUID(), article_codes: ['FIBRE-100'] },
  };
  const filter = { entity_id: activation.entity_id };

  const first = await events.put(activation).withResponse();
  const again = await events.put(activation).withResponse();
  expect([first.response.status, again.response.status]).toEqual([201, 200]);
  expect(again.data).toEqual(first.data);
  await expect(events.put({ ...activation, event_at: '2026-01-02T10:00:00+01:00' })).rejects.toMatchObject({
    code: 'event-order',
    problem: { conflicts_with: [expect.objectContaining({ event_id: first.data.event_id })] },
  });

  expect(await events.read(first.data.event_id)).toEqual(first.data);
  const listed = [];
  for await (const event of events.list(filter)) listed.push(event);
  expect(listed).toEqual([first.data]);
  expect((await events.latest(filter)).items).toEqual([first.data]);
  expect((await events.list(filter, { namespace: 'elsewhere' })).items).toEqual([]);
  expect((await client('ano-demo', { namespace: 'elsewhere' }).events.list(filter)).items).toEqual([]);
});

it('sends an event unchanged', async () => {
  const event: NewEvent = { entity_id: randomUUID(), event_type: 'notification', event_at: '2026-01-01T10:00:00+01:00' };
  const withSerial = (serial: string) => `${JSON.stringify(event).slice(0, -1)},"usr_attributes":{"serial":${serial}}}`;
  const { events } = client();

  expect(await events.put(withSerial('12'))).toMatchObject({ usr_attributes: { serial: 12 } });
  // JSON.parse would round the serial to a number that the service accepts.
  await expect(events.put(withSerial('12345678901234567891'))).rejects.toMatchObject({ status: 422 });
});

it("a call's options for fetch reach it", async () => {
  const modes: string[] = [];
  const { coverage } = client('ano-demo', {
    fetch: (request) => {
      modes.push(request.cache);
      return fetch(request);
    },
  });
  await coverage.tile({ z: 0, x: 0, y: 0 }, {}, { cache: 'no-cache' });
  expect(modes).toEqual(['no-cache']);
});

describe('credentials', () => {
  it('wrong credentials are not mistaken for an unreachable issuer', async () => {
    await expect(client('nobody').coverage.nodes.list()).rejects.toMatchObject({ name: 'TokenError' });
  });

  it('one token is used for many calls', async () => {
    const authorizations = new Set<string | null>();
    const { coverage } = client('ano-demo', {
      fetch: (request) => {
        authorizations.add(request.headers.get('authorization'));
        return fetch(request);
      },
    });

    await Promise.all(Array.from({ length: 5 }, () => coverage.search({ center: CENTER })));
    expect(authorizations.size).toBe(1);
  });

  it('a rejected token is replaced', async () => {
    const authorizations: (string | null)[] = [];
    const { coverage } = client('ano-demo', {
      fetch: (request) => {
        authorizations.push(request.headers.get('authorization'));
        if (authorizations.length === 1) request.headers.set('authorization', 'Bearer withdrawn');
        return fetch(request);
      },
    });

    await coverage.search({ center: CENTER });
    await coverage.search({ center: CENTER });
    expect(authorizations).toHaveLength(3);
    expect(authorizations[1]).not.toBe(authorizations[0]);
    expect(authorizations[2]).toBe(authorizations[1]);
  });
});

it('has exactly the methods that its README lists', async () => {
  const readme = await readFile(join(WORKSPACE, 'libs/client/README.md'), 'utf8');
  const listed = [...readme.matchAll(/^\| (`client\..+`) \| (.+) \|$/gm)];
  expect(listed).not.toEqual([]);
  const words = (text: string): string[] => text.match(/[\w.]+/g)!;
  for (const [, objects, methods] of listed)
    for (const path of words(objects!)) {
      const object = path.split('.').reduce<any>((parent, name) => (name === 'client' ? client() : parent[name]), undefined);
      const names = Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== 'constructor');
      expect([path, ...words(methods!).sort()]).toEqual([path, ...names.sort()]);
    }
});
