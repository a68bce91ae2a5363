import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from './free-port.js';
import { Program, type ProgramOptions } from './program.js';

const HOST = '127.0.0.1';
const WORKSPACE = join(import.meta.dirname, '../../../..');
/** Node.js arguments to run a source file. */
export const FROM_SOURCES = [
  '--enable-source-maps',
  '--conditions=source',
  '--import',
  pathToFileURL(join(WORKSPACE, 'tools/typescript.mjs')).href,
];

/** Whether programs run from `dist`, which starts several times faster. Nx builds `dist` before it runs tests. */
const isBuilt = process.env['TEST_BUILT'] === '1' || process.env['NX_TASK_TARGET_TARGET'] === 'test';

/** Node.js arguments to run a program, given its file in `src`. */
export const programArgs = (source: string): string[] =>
  isBuilt ? [source.replace(/\bsrc\/(.+)\.ts$/, 'dist/$1.js')] : [...FROM_SOURCES, source];

/** A service as its own process. */
export class ServiceProcess extends Program {
  readonly url: string;

  /**
   * Runs a service of this workspace, like its `serve` script but without watching.
   *
   * @param env its whole environment except the address
   */
  constructor(name: string, port: number, env: NodeJS.ProcessEnv, options: Partial<ProgramOptions> = {}) {
    const url = `http://${HOST}:${port}`;
    super({
      name,
      args: programArgs('src/main.ts'),
      cwd: join(WORKSPACE, 'apps', name),
      env: { ...env, HOST, PORT: String(port) },
      readyUrl: `${url}/health/ready`,
      ...options,
    });
    this.url = url;
  }

  /** The log of the service so far. */
  log(): Record<string, unknown>[] {
    return this.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

/**
 * Starts a service with these settings and waits until it is ready. From our environment, the service inherits only the variables that
 * any program needs.
 */
export async function startServiceProcess(name: string, settings: NodeJS.ProcessEnv, port?: number): Promise<ServiceProcess> {
  const { PATH, HOME, TMPDIR } = process.env;
  const service = new ServiceProcess(name, port ?? (await freePort()), { PATH, HOME, TMPDIR, ...settings });
  return service.ready().catch(async (error: unknown) => {
    await service.kill();
    throw error;
  });
}
