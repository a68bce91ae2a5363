import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientCredentials, FibreClient, type Line } from '@fibre/client';
import { freePort, FROM_SOURCES, Program, until } from '@fibre/testing';
import { Temporal } from 'temporal-polyfill';
import { demoClient } from '../dev-issuer/demo-accounts.js';
import { HOST, WORKSPACE } from '../workspace.js';
import { nextReset } from './sandbox.js';

let dataDir: string;
let stack: Program;
beforeAll(async () => (dataDir = await mkdtemp(join(tmpdir(), 'fibre-stack-'))));
// A running stack would keep Jest from ending after a failed test.
afterEach(() => stack.stop());
afterAll(() => rm(dataDir, { recursive: true }));

/**
 * Runs what `npm start` runs, without npm, but on the build: building the portal again would replace files that other tests are using.
 *
 * @returns makes clients of the demo accounts
 */
async function startStack(
  environment: Record<string, string> = {},
  ...options: string[]
): Promise<(id: string, namespace?: string) => FibreClient> {
  const [coverage, events, issuer] = [await freePort(), await freePort(), await freePort()];
  stack = new Program({
    name: 'stack',
    args: [...FROM_SOURCES, join(WORKSPACE, 'tools/dev-stack/main.ts'), ...options],
    cwd: WORKSPACE,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      TEST_BUILT: '1',
      COVERAGE_PORT: String(coverage),
      EVENT_PORT: String(events),
      ISSUER_PORT: String(issuer),
      ...environment,
    },
    readyUrl: `http://${HOST}:${issuer}/.well-known/openid-configuration`,
  });
  const url = (port: number): string => `http://${HOST}:${port}`;
  return (id, namespace) => {
    const { id: clientId, secret: clientSecret } = demoClient(id);
    const token = clientCredentials({ issuer: url(issuer), clientId, clientSecret });
    return new FibreClient({ coverageUrl: url(coverage), eventsUrl: url(events), token, namespace });
  };
}

test('if both services crash, npm start says so and exits with 1', async () => {
  await startStack();
  await until('the welcome', () => stack.lines.some((line) => line.includes('Ctrl-C stops everything')));
  const children = readFileSync(`/proc/${stack.pid}/task/${stack.pid}/children`, 'utf8').trim().split(' ');
  for (const pid of children) process.kill(Number(pid), 'SIGKILL');
  expect(children).toHaveLength(2);

  expect(await stack.gone).toBe('ended with exit code 1');
  expect(stack.lines.at(-1)).toMatch(/^(coverage|event)-service was ended by SIGKILL\. /);
}, 300_000);

test('if a port is in use, the message says what it is for and how to choose another one', async () => {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await startStack({ EVENT_PORT: String(port) });

  expect(await stack.gone).toBe('ended with exit code 1');
  expect(stack.lines.join('\n')).toContain(`Port ${port} for event-service is already in use`);
  expect(stack.lines.join('\n')).toContain(`EVENT_PORT=${port + 1_000} npm start`);
  server.close();
});

describe('npm start -- --sandbox', () => {
  const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
    const records: T[] = [];
    for await (const record of list) records.push(record);
    return records;
  };

  test('each ISP of the tour finds nodes and its own lines, nothing is sent to this machine, and a reset erases the rest', async () => {
    const client = await startStack({ SANDBOX_RESET_AT: '02:30' }, '--sandbox');
    const isSaid = (text: string) => () => stack.lines.some((line) => line.includes(text));
    await until('the welcome', isSaid('Ctrl-C stops everything'));
    expect(stack.lines.join('\n')).toContain('Everything in it is erased at 02:30 every night');
    const isps = [client('isp-demo'), client('isp-other')] as const;
    const lines = () => Promise.all(isps.map(({ charges }) => all(charges.lines())));

    for (const { coverage } of isps) {
      const found = await coverage.search({ center: '48.2085, 16.3721', search_radius: 1000 });
      expect(found.map(({ address }) => address)).toEqual(['Hauptplatz 1, Vienna', 'Hauptplatz 5, Innere Stadt']);
    }
    const [[first], [other]] = (await lines()) as [[Line], [Line]];
    expect(first.option82).toMatch(/^eth /);
    expect(other.partner_reference).toBe('T-2026');
    const feed = async ({ charges }: FibreClient) => {
      const changes = await all(charges.lineChanges({ since: '2026-01-01T00:00:00Z' }, { follow: false }));
      return changes.map(({ change, line }) => [change, line.entity_id]);
    };
    // The second ISP has taken a home over from the first one.
    expect(await feed(isps[0])).toEqual([
      ['ended', other.entity_id],
      ['upserted', first.entity_id],
    ]);
    expect(await feed(isps[1])).toEqual([['upserted', other.entity_id]]);

    const { webhooks } = isps[0].events;
    await expect(webhooks.create({ url: 'http://127.0.0.1:4000/', feed: 'lines' })).rejects.toThrow('#/url: must be an https URL');
    const { webhook_id } = await webhooks.create({ url: 'https://127.0.0.1:4000/', feed: 'lines' });
    expect(await webhooks.test(webhook_id)).toEqual({ delivered: false, error: 'the host was not found, or its address is not public' });
    const trial = client('ano-demo', 'a-trial');
    await trial.isps.create({ name: 'In a namespace' });

    process.kill(stack.pid, 'SIGUSR2');
    await until('the reset', isSaid('The sandbox is as new.'));

    expect(await all(webhooks.list())).toEqual([]);
    expect(await all(trial.isps.list())).toEqual([]);
    const [[again]] = (await lines()) as [[Line], [Line]];
    expect(again.entity_id).not.toBe(first.entity_id);
  }, 300_000);

  test('it says what is wrong with an option and with the time of the reset', async () => {
    await startStack({}, '--sandbx');
    expect(await stack.gone).toBe('ended with exit code 1');
    expect(stack.lines.join('\n')).toContain("Unknown option '--sandbx'");

    await startStack({ SANDBOX_RESET_AT: '25:00' }, '--sandbox');
    expect(await stack.gone).toBe('ended with exit code 1');
    expect(stack.lines.join('\n')).toContain('SANDBOX_RESET_AT is 25:00; it must be a time of day, such as 03:00');
  }, 60_000);

  test('there is one reset a day, also when the clocks change', () => {
    const next = (now: string, at: string): string =>
      nextReset(Temporal.PlainTime.from(at), Temporal.ZonedDateTime.from(`${now}[Europe/Vienna]`)).toString({ timeZoneName: 'never' });

    expect(next('2026-05-05T02:59:59', '03:00')).toBe('2026-05-05T03:00:00+02:00');
    expect(next('2026-05-05T03:00:00', '03:00')).toBe('2026-05-06T03:00:00+02:00');
    // 02:30 does not exist on 29 March 2026, and exists twice on 25 October.
    expect(next('2026-03-28T12:00:00', '02:30')).toBe('2026-03-29T03:30:00+02:00');
    expect(next('2026-03-29T03:30:00', '02:30')).toBe('2026-03-30T02:30:00+02:00');
    expect(next('2026-10-25T02:30:00+02:00', '02:30')).toBe('2026-10-26T02:30:00+01:00');
    expect(next('2026-10-25T02:10:00+01:00', '02:30')).toBe('2026-10-26T02:30:00+01:00');
  });
});
