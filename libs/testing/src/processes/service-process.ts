import { join } from 'node:path';
import { freePort } from './free-port.js';
import { Program, type ProgramOptions } from './program.js';

const HOST = '127.0.0.1';
const WORKSPACE = join(import.meta.dirname, '../../../..');
/** Arguments of Node.js for a file of the sources. */
export const FROM_SOURCES = ['--enable-source-maps', '--conditions=source', '--import', '@swc-node/register/esm-register'];

/** A service as a process of its own. */
export class ServiceProcess extends Program {
  readonly url: string;

  /**
   * Runs a service of this workspace from its sources, as its `serve` script does, but without watching; with `TEST_BUILT=1` what its build has made.
   *
   * @param env all of its environment, but for the address
   */
  constructor(name: string, port: number, env: NodeJS.ProcessEnv, options: Partial<ProgramOptions> = {}) {
    const url = `http://${HOST}:${port}`;
    super({
      name,
      args: process.env['TEST_BUILT'] === '1' ? ['dist/main.js'] : [...FROM_SOURCES, 'src/main.ts'],
      cwd: join(WORKSPACE, 'apps', name),
      env: { ...env, HOST, PORT: String(port) },
      readyUrl: `${url}/health/ready`,
      ...options,
    });
    this.url = url;
  }

  /** Its log so far. */
  log(): Record<string, unknown>[] {
    return this.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

/** Starts a service with these settings and waits until it is ready. Of our environment it has what any program needs. */
export async function startServiceProcess(name: string, settings: NodeJS.ProcessEnv, port?: number): Promise<ServiceProcess> {
  const { PATH, HOME, TMPDIR } = process.env;
  const service = new ServiceProcess(name, port ?? (await freePort()), { PATH, HOME, TMPDIR, ...settings });
  return service.ready().catch(async (error: unknown) => {
    await service.kill();
    throw error;
  });
}
