import { once } from 'node:events';
import { createServer } from 'node:net';

/** Refuses to go on when somebody already listens on one of the ports. */
export async function assertFreePorts(host: string, ports: ReadonlyMap<string, number>): Promise<void> {
  for (const [name, port] of ports) {
    if (!(await isFree(host, port))) {
      throw new Error(`Port ${port} for ${name} is already taken on ${host}. Is the stack already running in another terminal?`);
    }
  }
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
