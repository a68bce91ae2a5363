import { FibreClient } from '@fibre/client';
import { withClient } from '@fibre/embedded-postgres';
import { databaseUrl } from '@fibre/testing/databases';
import { onStage } from './setup/database.js';
import { part } from './setup/load.js';
import { fileOfNodes } from './setup/node-file.js';
import { MACHINE, say, table, verdict } from './setup/report.js';
import { migrate, newToken } from './setup/service.js';
import { RECORDING_TENANT } from './suites/coverage-suite.js';

const [SERVICE, DATABASE] = ['coverage-service', 'import_run'] as const;
/** How fast an import with addresses is at least, compared with one without. */
const AT_LEAST = 0.8;

/** `npm run bench -- import`: imports of new nodes with addresses and without, in turn. */
export async function benchImport({ nodes, rounds }: { nodes: number; rounds: number }): Promise<void> {
  await onStage([SERVICE], async ({ issuer, postgres, start }) => {
    await withClient(postgres, async (client) => {
      await client.query(`drop database if exists ${DATABASE} with (force)`);
      await client.query(`create database ${DATABASE}`);
    });
    const url = databaseUrl(postgres, DATABASE);
    await migrate(SERVICE, url);
    const service = await start(SERVICE, url);
    const token = await newToken(issuer, RECORDING_TENANT, 'coverage:write');
    const client = new FibreClient({ coverageUrl: service.url, token: () => Promise.resolve(token) });
    const secondsOf = async (hasAddresses: boolean): Promise<number> => {
      const began = performance.now();
      const file = (): ReadableStream<Uint8Array> => fileOfNodes(nodes, hasAddresses);
      await client.coverage.nodes.import(file, {}, { format: 'csv', timeoutMs: 3_600_000 });
      return (performance.now() - began) / 1_000;
    };
    const [without, having]: [number[], number[]] = [[], []];
    for (let round = -1; round < rounds; round++) {
      // The table grows, so each kind comes first in every second round.
      for (const hasAddresses of round % 2 === 0 ? [false, true] : [true, false]) {
        const seconds = await secondsOf(hasAddresses);
        if (round >= 0) (hasAddresses ? having : without).push(seconds);
      }
    }
    const ratios = without.map((seconds, round) => seconds / having[round]!);
    const ratio = part(ratios, 0.5);
    const cells = [without, having].map((seconds) => `${part(seconds, 0.5).toFixed(1)} s`);
    const head = ['Import', 'without addresses', 'with addresses', 'Speed', 'Goal', ''];
    const range = [Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(2)).join(' to ');
    const row = [
      `${nodes.toLocaleString('en-GB')} new nodes`,
      ...cells,
      `${ratio.toFixed(2)} (${range})`,
      `at least ${AT_LEAST}`,
      verdict(ratio >= AT_LEAST),
    ];
    say([`\nImport`, `Medians of ${rounds} rounds. ${MACHINE}`, table(head, [row])].join('\n\n'));
  });
}
