import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

const OF_EVERY_TRANSACTION = /^(begin|start transaction|commit|rollback|set transaction)\b/i;
/** Timers send these statements at any time, for due webhooks and how many there are. */
const IN_THE_BACKGROUND = /^\s*(update webhook w set due_at|select count\(\*\) filter \(where w\.enabled)/i;
/** COPY takes no parameters, so its text contains ids and timestamps. */
const LITERALS = /'(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[^']+)'/g;

/** A committed file of SQL, and the SQL that the service sends now. */
export interface SqlSnapshot {
  readonly file: string;
  readonly committed: string;
  readonly sent: string;
}

/**
 * Sends requests and records the SQL that they cause. The SQL is committed in `sql/<feature>.sql`, where a reviewer sees what runs. A
 * statement that several features send is only in the file of the first one. `UPDATE_SQL=1` writes the files.
 *
 * @param requests the requests of each feature, keyed by the feature's folder below `sources`
 * @throws Error if a module with statements has no requests
 */
export async function recordSql(sources: string, requests: Readonly<Record<string, () => Promise<unknown>>>): Promise<SqlSnapshot[]> {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  for (const folder of files.flatMap((file) => /^(.+)\/[^/]+\.module\.ts$/.exec(file)?.[1] ?? [])) {
    const hasStatements = files.some((file) => file.startsWith(`${folder}/`) && /\.(sql|repository)\.ts$/.test(file));
    if (hasStatements && !(folder in requests)) throw new Error(`no requests send the statements of ${folder}`);
  }
  const seen = new Set<string>();
  const snapshots: SqlSnapshot[] = [];
  for (const [feature, send] of Object.entries(requests)) {
    const file = join(sources, `../sql/${feature}.sql`);
    const sent = await record(seen, send);
    if (process.env.UPDATE_SQL) writeFileSync(file, sent);
    snapshots.push({ file, committed: readFileSync(file, 'utf8'), sent });
  }
  return snapshots;
}

async function record(seen: Set<string>, work: () => Promise<unknown>): Promise<string> {
  const statements: string[] = [];
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its client below
  const { query } = pg.Client.prototype;
  const note = (sent: string | { text: string }): void => {
    const text = typeof sent === 'string' ? sent : sent.text;
    if (OF_EVERY_TRANSACTION.test(text) || IN_THE_BACKGROUND.test(text) || seen.has(text)) return;
    seen.add(text);
    statements.push(`${withoutIndent(text.replace(LITERALS, "'...'"))};\n`);
  };
  pg.Client.prototype.query = function (this: pg.Client, ...args: [string]) {
    note(args[0]);
    return (query as (...given: string[]) => unknown).apply(this, args);
  } as typeof query;
  await work().finally(() => (pg.Client.prototype.query = query));
  return statements.join('\n');
}

function withoutIndent(text: string): string {
  const lines = text
    .trimEnd()
    .replace(/^\s*\n/, '')
    .split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent).trimEnd()).join('\n');
}
