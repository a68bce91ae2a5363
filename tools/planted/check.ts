import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Results } from '../tests/summary.js';
import { type Fault, PROJECTS } from './faults.js';

/** How much the tests do: see `@fibre/testing/volume`. */
export type Volume = 'few' | 'all';

/** What a check has found. */
export interface Found {
  /** The first test that failed, or what was wrong. Undefined if the check passed. */
  readonly failure?: string;
  /** An error that says that the planted code itself is wrong: it proves nothing. */
  readonly mistake?: string;
}

/** A check that hangs has failed. */
const LIMIT_MS = 900_000;
const MISTAKE = /\b(TypeError|ReferenceError|SyntaxError)\b/;
/** What `fetch` throws if a service that a check has killed does not answer. */
const NO_ANSWER = /fetch failed|terminated/;
/** Lines in which `npm run history` says what is wrong, the most telling one first. */
const FAILURES = [/^Found \d+ faults/, /(^|\s)\w*Error: /];

/** Runs checks in a folder with sources and their build. */
export class Checks {
  constructor(
    private readonly folder: string,
    private readonly postgresUrl: string,
    private readonly interrupted: AbortSignal,
  ) {}

  /** @param which names of spec files of a project, or one name of faults of `npm run history` */
  async run(project: Fault['caughtBy'][0], which: readonly string[], volume: Volume): Promise<Found> {
    const [log, results] = ['services.log', 'results.json'].map((name) => join(this.folder, name)) as [string, string];
    for (const file of [log, results]) rmSync(file, { force: true });
    const [command, args, folder] = commandOf(project, which, results);
    const check = spawn(command, args, {
      cwd: join(this.folder, folder),
      env: {
        ...process.env,
        ...{ TEST_BUILT: '1', TEST_VOLUME: volume, MAX_WORKERS: '2', TEST_LOG_LEVEL: 'warn' },
        ...{ TEST_PROGRAM_LOG: log, TEST_POSTGRES_URL: this.postgresUrl },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that its programs end with it.
      detached: true,
    });
    const late = AbortSignal.timeout(LIMIT_MS);
    const end = AbortSignal.any([this.interrupted, late]);
    const stop = (): void => void process.kill(-check.pid!, 'SIGTERM');
    end.addEventListener('abort', stop);
    const [[code], ...output] = (await Promise.all([once(check, 'exit'), text(check.stdout), text(check.stderr)])) as [
      [number | null],
      string,
      string,
    ];
    end.removeEventListener('abort', stop);
    this.interrupted.throwIfAborted();
    if (late.aborted) return { failure: `not done within ${LIMIT_MS / 1_000} s` };
    if (code === 0) return {};
    const lines = [...output, existsSync(log) ? readFileSync(log, 'utf8') : ''].join('\n').split('\n');
    const mistake = lines.find((line) => MISTAKE.test(line) && !NO_ANSWER.test(line))?.trim();
    if (project !== 'history') return { mistake, ...failureIn(results) };
    const said = FAILURES.flatMap((one) => lines.filter((line) => one.test(line)))[0]?.trim();
    return { failure: said ?? `exit code ${code}`, mistake };
  }
}

function commandOf(project: Fault['caughtBy'][0], which: readonly string[], results: string): [string, string[], string] {
  if (project === 'history') return ['npm', ['run', 'history', '--', '--only', ...which], ''];
  const [folder, ...args] = PROJECTS[project];
  return [join('../'.repeat(folder.split('/').length), 'tools/tests/jest'), [...args, ...which, '--json', '--outputFile', results], folder];
}

/** The first failure in the results of Jest. */
function failureIn(file: string): Found {
  const { testResults } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : { testResults: [] };
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'))[0];
  if (failed) return { failure: failed.fullName };
  // What a service has not given back fails the end of a file, not a test.
  const left = testResults.find(({ message }) => message !== '');
  const said = left?.message.split('\n').find((line) => /Error/.test(line)) ?? left?.message ?? 'Jest wrote no results';
  return left && left.assertionResults.length > 0 ? { failure: said.trim() } : { failure: said, mistake: said };
}
