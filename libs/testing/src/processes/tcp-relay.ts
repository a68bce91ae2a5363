import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.js';

const HOST = '127.0.0.1';

/** TCP connections through this process, which can fail them as a network does. */
export interface TcpRelay {
  readonly port: number;
  /** Whether a connection to this port stands. */
  isConnectedTo(port: number): boolean;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Takes connections and data and hands on nothing, as a firewall that drops packets. @param at on all connections, but not before one says this */
  fallSilent(at?: string): void;
  /** Falls silent on one connection for each text, at the first that says it. */
  fallSilentAt(...texts: string[]): void;
  /** Works for new connections. What fell silent stays so: who dropped the packets has forgotten the connections. */
  mend(): Promise<void>;
}

interface Pair {
  readonly to: number;
  readonly ends: readonly Socket[];
  isSilent: boolean;
}

/** @param target gives the port that the next connection goes to; connections stay where they went */
export async function startTcpRelay(target: () => number): Promise<TcpRelay> {
  const port = await freePort();
  const pairs = new Set<Pair>();
  const forbidden = new Set<string>();
  let isSilent = false;
  let silentAt: string | undefined;
  let server: Server;

  const accept = (inner: Socket): void => {
    const to = target();
    const pair: Pair = { to, isSilent, ends: isSilent ? [inner] : [inner, connect(to, HOST)] };
    pairs.add(pair);
    const close = (): void => {
      pairs.delete(pair);
      for (const end of pair.ends) end.destroy();
    };
    for (const [index, end] of pair.ends.entries()) {
      const other = pair.ends[1 - index];
      // A half that breaks takes the other with it, as a killed server does; through silence nobody hears of it.
      const broken = (): unknown => (pair.isSilent && end !== inner ? end.destroy() : close());
      end.on('error', broken).on('close', broken);
      end.on('data', (data) => {
        if (silentAt && data.includes(silentAt)) fallSilent();
        for (const text of forbidden) if (data.includes(text)) pair.isSilent = forbidden.delete(text);
        if (!pair.isSilent) other?.write(data);
      });
      end.on('end', () => (pair.isSilent ? end : other)?.end());
    }
  };
  const fallSilent = (at?: string): void => {
    silentAt = at;
    if (at) return;
    isSilent = true;
    for (const pair of pairs) pair.isSilent = true;
  };
  const mend = async (): Promise<void> => {
    isSilent = false;
    silentAt = undefined;
    if (server?.listening) return;
    server = createServer({ allowHalfOpen: true, noDelay: true }, accept).listen(port, HOST);
    await once(server, 'listening');
  };
  await mend();
  return {
    port,
    isConnectedTo: (one) => [...pairs].some(({ to }) => to === one),
    cut: () => {
      server.close();
      for (const { ends } of pairs) for (const end of ends) end.destroy();
    },
    fallSilent,
    fallSilentAt: (...texts) => texts.forEach((text) => forbidden.add(text)),
    mend,
  };
}
