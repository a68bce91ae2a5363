import { isDeepStrictEqual } from 'node:util';
import { onStage, prepareDatabase } from './setup/database.js';
import { FilesBench, timed } from './files.js';
import { median, type Rounds, send, withLoad } from './setup/load.js';
import { inhabitedPoints, nodesDataset } from './setup/nodes.js';
import { GOAL_HEAD, goalRow, machine, table, writeSection } from './setup/report.js';
import { startService } from './setup/service.js';

const PLACES = 100_000;
const CONNECTIONS = 16;
const GOAL = { atLeast: 2 };

type Point = [latitude: string, longitude: string];
const single = ([latitude, longitude]: Point) => ({ path: `/v2/cov/search?center=${latitude},${longitude}&limit=1&search_radius=100` });

/** `npm run bench -- places`: a file of 100,000 places beside as many single searches, whose results it has to give. */
export const benchPlaces = ({ nodes, rounds }: Rounds & { nodes: number }): Promise<void> =>
  onStage('coverage-service', async ({ issuer, postgres, version, keep }) => {
    const databaseUrl = await prepareDatabase(postgres, nodesDataset(nodes));
    const token = await issuer.tokenFor('isp.bench', 'coverage:search');
    const start = async (): Promise<FilesBench> =>
      new FilesBench(databaseUrl, keep(await startService('coverage-service', databaseUrl, issuer.url)), token, rounds);
    const points = inhabitedPoints(nodes, PLACES);
    const file = `name,latitude,longitude\n${points.map(([latitude, longitude], row) => `place ${row},${latitude},${longitude}\n`).join('')}`;
    const bench = await start();
    const searchFile = (format: string) => async (): Promise<string> => search(bench, file, format);
    const speeds: { file: number[]; single: number[] } = { file: [], single: [] };
    await withLoad(async (run) => {
      for (let round = 0; round < rounds; round++) {
        const { perSecond } = await run({ server: bench.server, token, requests: points.map(single), status: 200 }, CONNECTIONS, 10);
        speeds.single.push(perSecond);
        speeds.file.push((PLACES * 1_000) / (await timed(searchFile('csv'))));
      }
    });
    await requireEqual(bench, points, await searchFile('ndjson')());
    const ratio = median(speeds.file.map((speed, round) => speed / speeds.single[round]!));
    const perSecond = (list: number[]): string => `${median(list).toFixed(0)}/s`;
    const title = `Places of a file on one connection, beside single searches on ${CONNECTIONS}; all ${PLACES} results equal`;
    const rows = [
      goalRow(title, perSecond(speeds.file), perSecond(speeds.single), ratio, GOAL),
      await bench.searches(points.slice(0, 20_000), 'a search for many places', searchFile('csv')),
      await (await start()).memory(`search for ${PLACES} places`, async (idle) => void (await search(idle, file, 'csv'))),
    ];
    const head = `${nodes.toLocaleString('en-GB')} nodes, medians of ${rounds} rounds in turns. ${machine(version)}`;
    writeSection('places', `${head}\n\n${table(GOAL_HEAD, rows)}`);
  });

async function search({ server, token }: FilesBench, file: string, format: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
  const response = await fetch(`${server.url}/v2/cov/search?format=${format}`, { method: 'POST', headers, body: file });
  if (!response.ok) throw new Error(`the search was answered ${response.status}: ${await response.text()}`);
  return response.text();
}

async function requireEqual({ server, token }: FilesBench, points: readonly Point[], text: string): Promise<void> {
  const rows = text.trimEnd().split('\n');
  if (rows.length !== points.length) throw new Error(`${rows.length} rows came back of ${points.length}`);
  const compare = async (first: number): Promise<void> => {
    for (let row = first; row < rows.length; row += CONNECTIONS) {
      const { results } = JSON.parse(rows[row]!) as { results: unknown };
      const { body } = await send(server, single(points[row]!), token);
      if (!isDeepStrictEqual(results, JSON.parse(body))) throw new Error(`row ${row} has ${rows[row]}, and its single search ${body}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, first) => compare(first)));
}
