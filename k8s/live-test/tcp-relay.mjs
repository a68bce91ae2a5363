// TCP connections through this process, which can fail them as a network does.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { freePort, HOST } from './program.mjs';

/**
 * A fixed port until the end of `test`.
 *
 * @param target gives the port that the next connection goes to; connections stay where they went
 */
export async function startRelay(test, target) {
  const port = await freePort();
  const pairs = new Set();
  const forbidden = new Set();
  let isSilent = false;
  let server;

  const accept = (inner) => {
    const to = target();
    const pair = { to, isSilent, ends: isSilent ? [inner] : [inner, connect(to, HOST)] };
    pairs.add(pair);
    const close = () => {
      pairs.delete(pair);
      for (const end of pair.ends) end.destroy();
    };
    for (const [index, end] of pair.ends.entries()) {
      const other = pair.ends[1 - index];
      // A half that breaks takes the other with it, as a killed server does; through silence nobody hears of it.
      const broken = () => (pair.isSilent && end !== inner ? end.destroy() : close());
      end.on('error', broken).on('close', broken);
      end.on('data', (data) => {
        for (const text of forbidden) if (data.includes(text)) pair.isSilent = forbidden.delete(text);
        if (!pair.isSilent) other.write(data);
      });
      end.on('end', () => (pair.isSilent ? end.end() : other.end()));
    }
  };
  const listen = async () => {
    server = createServer({ allowHalfOpen: true, noDelay: true }, accept).listen(port, HOST);
    await once(server, 'listening');
  };
  /** Ends every connection and refuses new ones. */
  const cut = () => {
    server.close();
    for (const { ends } of pairs) for (const end of ends) end.destroy();
  };
  test.after(cut);
  await listen();

  return {
    port,
    isConnectedTo: (one) => [...pairs].some(({ to }) => to === one),
    cut,
    /** Takes connections and data and hands on nothing, as a firewall that drops packets. */
    fallSilent: () => {
      isSilent = true;
      for (const pair of pairs) pair.isSilent = true;
    },
    /** Falls silent on one connection for each text, at the first that says it. */
    fallSilentAt: (...texts) => texts.forEach((text) => forbidden.add(text)),
    /** Works for new connections. What fell silent stays so: who dropped the packets has forgotten the connections. */
    mend: async () => {
      isSilent = false;
      if (!server.listening) await listen();
    },
  };
}
