import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { FibreClient } from '@fibre/client';
import { withClient } from '@fibre/embedded-postgres';
import { databaseUrl } from '@fibre/testing/databases';
import { onStage } from './setup/database.js';
import { part } from './setup/load.js';
import { fileOfNodes } from './setup/node-file.js';
import { MACHINE, say, table } from './setup/report.js';
import { migrate, newToken } from './setup/service.js';

const [SERVICE, DATABASE] = ['coverage-service', 'lag_run'] as const;
const QUIET_MS = 60_000;
const BETWEEN_WRITES_MS = 1_000;
/** Followers wait as long as the documentation says; see docs/changes.md. */
const PAUSE_MS = 1_000;
/** A follower has everything that was written before the import ended after this. */
const REST_MS = 15_000;

/** How long each node took from its creation to a reader, in milliseconds, by the reader. */
type Lags = Map<string, Map<string, number>>;

/** `npm run bench -- lag`: how far the feeds and a webhook of one tenant, and the search's feed, are behind while another tenant imports. */
export async function benchLag({ nodes }: { nodes: number }): Promise<void> {
  await onStage([SERVICE], async ({ issuer, postgres, start }) => {
    await withClient(postgres, async (client) => {
      await client.query(`drop database if exists ${DATABASE} with (force)`);
      await client.query(`create database ${DATABASE}`);
    });
    const url = databaseUrl(postgres, DATABASE);
    await migrate(SERVICE, url);
    // In production, webhooks need HTTPS.
    const service = await start(SERVICE, url, [], { NODE_ENV: 'development', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
    const clientOf = async (tenant: string): Promise<FibreClient> => {
      const token = await newToken(issuer, tenant, 'coverage:read coverage:write coverage:search');
      return new FibreClient({ coverageUrl: service.url, token: () => Promise.resolve(token) });
    };
    const [importer, writer] = [await clientOf('ano.import'), await clientOf('ano.writer')];

    const lags: Lags = new Map(['own feed', 'feed of the search', 'webhook'].map((reader) => [reader, new Map<string, number>()]));
    const arrive = (reader: string, node_id: string, changed: string): unknown =>
      lags.get(reader)!.set(node_id, Date.now() - Date.parse(changed));
    const receiver = createServer((request, response) => {
      void (json(request) as Promise<{ subject: string; time: string }[]>).then((events) => {
        for (const { subject, time } of events) arrive('webhook', subject, time);
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await writer.coverage.webhooks.create({ url: hook, feed: 'nodes' });

    const over = new AbortController();
    const following = { pauseMs: PAUSE_MS, signal: over.signal };
    const follow = async (reader: string, changes: ReturnType<typeof writer.coverage.searchChanges>): Promise<void> => {
      for await (const { node, changed_at } of changes) arrive(reader, node.node_id, changed_at);
    };
    const readers = [
      follow('own feed', writer.coverage.nodes.changes({}, following)),
      follow('feed of the search', writer.coverage.searchChanges({ _page_size: 2_000 }, following)),
    ].map((reader) => reader.catch((error: unknown) => over.signal.aborted || Promise.reject(error as Error)));

    const relation_id = randomUUID();
    const writeUntil = async (end: Promise<unknown>): Promise<string[]> => {
      const written: string[] = [];
      let isOver = false;
      void end.finally(() => (isOver = true));
      while (!isOver) {
        const { node_id } = await writer.coverage.nodes.create({ relation_id, token: 'planned', center: '48.2, 16.3' });
        if (!isOver) written.push(node_id);
        await sleep(BETWEEN_WRITES_MS);
      }
      return written;
    };
    const quiet = await writeUntil(sleep(QUIET_MS));
    const began = performance.now();
    const importing = importer.coverage.nodes.import(() => fileOfNodes(nodes), {}, { format: 'csv', timeoutMs: 3_600_000 });
    const busy = await writeUntil(importing);
    const { created } = await importing;
    const seconds = (performance.now() - began) / 1_000;
    await sleep(REST_MS);
    over.abort();
    await Promise.all(readers);
    receiver.close();

    const head = ['Seconds from a write to its reader', 'quiet, p50', 'p99', 'during the import, p50', 'p99', 'longest', 'missing'];
    const rows = [...lags].map(([reader, ofNodes]) => {
      const timesOf = (written: readonly string[]): number[] => written.flatMap((node_id) => ofNodes.get(node_id) ?? []);
      const [before, during] = [timesOf(quiet), timesOf(busy)];
      const shown = [part(before, 0.5), part(before, 0.99), part(during, 0.5), part(during, 0.99), Math.max(...during)];
      return [reader, ...shown.map((ms) => (ms / 1_000).toFixed(1)), String(busy.length - during.length)];
    });
    const said = `${created.toLocaleString('en-GB')} nodes imported in ${seconds.toFixed(0)} s, meanwhile ${busy.length} written`;
    say([`\nLag of the feeds`, MACHINE, said, table(head, rows)].join('\n\n'));
  });
}
