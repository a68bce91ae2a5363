import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Results } from '../tests/summary.js';
import { type Fault, PROJECTS } from './fault.js';

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
/** Within so many lines, the stack of such an error names the planted file, unless the error is that of a test. */
const STACK_LINES = 20;
/** Lines in which `npm run history` says what is wrong, the most telling one first. */
const FAILURES = [/^Found \d+ faults/, /(^|\s)\w*Error: /];

/** Runs checks in a folder with sources and their build. */
export class Checks {
  constructor(
    private readonly folder: string,
    private readonly postgresUrl: string,
    private readonly interrupted: AbortSignal,
  ) {}

  /**
   * @param which names of spec files of a project, or one name of faults of `npm run history`
   * @param planted the file with the fault, if there is one
   */
  async run(project: Fault['caughtBy'][0], which: readonly string[], volume: Volume, planted?: string): Promise<Found> {
    const [log, results] = ['services.log', 'results.json'].map((name) => join(this.folder, name)) as [string, string];
    for (const file of [log, results]) rmSync(file, { force: true });
    const [command, args, folder] = commandOf(project, which, results);
    const check = spawn(command, args, {
      cwd: join(this.folder, folder),
      env: {
        ...process.env,
        TEST_BUILT: '1',
        TEST_VOLUME: volume,
        MAX_WORKERS: '2',
        TEST_LOG_LEVEL: 'warn',
        TEST_PROGRAM_LOG: log,
        TEST_POSTGRES_URL: this.postgresUrl,
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
    const said = [...output, existsSync(log) ? readFileSync(log, 'utf8') : ''].join('\n');
    const found = project === 'history' ? failureOf(said, code) : failureIn(results);
    return { mistake: planted && mistakeOf(said, planted), ...found };
  }
}

/** The first error of the planted code itself. */
function mistakeOf(said: string, planted: string): string | undefined {
  const place = planted.replace(/\.ts$/, '').split('/src/')[1]!;
  const lines = said.split('\n');
  return lines
    .find((line, index) => MISTAKE.test(line) && lines.slice(index, index + STACK_LINES).some((one) => one.includes(`/${place}.`)))
    ?.trim();
}

/** What `npm run history` says is wrong. */
function failureOf(said: string, code: number | null): Found {
  const lines = said.split('\n');
  return { failure: FAILURES.flatMap((one) => lines.filter((line) => one.test(line)))[0]?.trim() ?? `exit code ${code}` };
}

function commandOf(project: Fault['caughtBy'][0], which: readonly string[], results: string): [string, string[], string] {
  if (project === 'history') return ['npm', ['run', 'history', '--', '--only', ...which], ''];
  const [folder, ...args] = PROJECTS[project];
  return [join('../'.repeat(folder.split('/').length), 'tools/tests/jest'), [...args, ...which, '--json', '--outputFile', results], folder];
}

/** The first failure in the results of Jest. A file that could not be loaded is a mistake. */
function failureIn(file: string): Found {
  const { testResults } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : { testResults: [] };
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'))[0];
  // What a service has not given back fails the end of a file, which has no name of its own.
  if (failed) return { failure: /^\(\w+\)$/.test(failed.fullName) ? failed.failureMessages[0]!.split('\n')[0] : failed.fullName };
  const said = testResults.find(({ message }) => message !== '')?.message.trim() ?? 'Jest wrote no results';
  return { failure: said, mistake: said.split('\n')[0] };
}
