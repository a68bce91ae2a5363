import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.js';

const HOST = '127.0.0.1';

/** A TCP relay that can break connections the way a network does. */
export interface TcpRelay {
  readonly port: number;
  /** Whether there is a connection to this port. */
  isConnectedTo(port: number): boolean;
  /** Closes every connection and refuses new ones. */
  cut(): void;
  /**
   * Accepts connections and data but passes nothing on, like a firewall that drops packets.
   *
   * @param at falls silent only once a connection sends this text
   */
  fallSilent(at?: string): void;
  /** Goes silent on the first connection that sends one of these texts, once per text. */
  fallSilentAt(...texts: string[]): void;
  /** Passes everything on this much later. A connection keeps its delay until it is cut. */
  delay(ms: number): void;
  /**
   * Closes the first connection that sends this text.
   *
   * @param isPassedOn whether the text still arrives
   */
  cutAt(isPassedOn: boolean, text: string): void;
  /** Closes the first connection that sends this text, once it has got so many bytes of the answer. */
  cutAfter(text: string, bytes: number): void;
  /** Accepts new connections again. Silent connections remain silent, because a firewall forgets connections. */
  mend(): Promise<void>;
}

interface Pair {
  readonly to: number;
  readonly ends: readonly Socket[];
  isSilent: boolean;
  delayMs: number;
  /** Bytes of the answer after which the connection is closed. */
  bytesLeft: number;
}

/** @param target returns the port for the next connection; open connections keep theirs */
export async function startTcpRelay(target: () => number): Promise<TcpRelay> {
  const port = await freePort();
  const pairs = new Set<Pair>();
  /** What to do once with the first connection that sends a text. */
  const atTexts = new Map<string, (pair: Pair) => void>();
  let isSilent = false;
  let delayMs = 0;
  let server: Server;

  const accept = (inner: Socket): void => {
    const to = target();
    const pair: Pair = { to, isSilent, delayMs, bytesLeft: Infinity, ends: isSilent ? [inner] : [inner, connect(to, HOST)] };
    pairs.add(pair);
    const close = (): void => {
      pairs.delete(pair);
      for (const end of pair.ends) end.destroy();
    };
    const later = (work: () => void): void => (pair.delayMs === 0 ? work() : void setTimeout(work, pair.delayMs));
    for (const [index, end] of pair.ends.entries()) {
      const other = pair.ends[1 - index];
      // If one side breaks, so does the other, as with a killed server; while the relay is silent, neither side is
      // told.
      const broken = (): unknown => (pair.isSilent && end !== inner ? end.destroy() : close());
      end.on('error', broken).on('close', broken);
      end.on('data', (data) => {
        if (end !== inner && (pair.bytesLeft -= data.length) < 0)
          return void inner.write(data.subarray(0, pair.bytesLeft + data.length), close);
        for (const [text, act] of atTexts) if (data.includes(text) && atTexts.delete(text)) act(pair);
        later(() => {
          if (!pair.isSilent) other?.write(data);
        });
      });
      end.on('end', () => later(() => (pair.isSilent ? end : other)?.end()));
    }
  };
  const fallSilent = (): void => {
    isSilent = true;
    for (const pair of pairs) pair.isSilent = true;
  };
  const mend = async (): Promise<void> => {
    isSilent = false;
    delayMs = 0;
    atTexts.clear();
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
    fallSilent: (at) => void (at === undefined ? fallSilent() : atTexts.set(at, fallSilent)),
    fallSilentAt: (...texts) => texts.forEach((text) => atTexts.set(text, (pair) => (pair.isSilent = true))),
    delay: (ms) => {
      delayMs = ms;
      for (const pair of pairs) pair.delayMs = ms;
    },
    cutAt: (isPassedOn, at) => {
      atTexts.clear();
      atTexts.set(at, (pair) => {
        pair.isSilent = !isPassedOn;
        pair.ends[0]!.destroy();
      });
    },
    cutAfter: (text, bytes) => void atTexts.set(text, (pair) => (pair.bytesLeft = bytes)),
    mend,
  };
}
