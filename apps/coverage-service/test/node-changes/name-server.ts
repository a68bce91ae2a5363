import dns from 'node:dns';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

const HEADER_BYTES = 12;
const [A, AAAA] = [1, 28];

/** A DNS server on this machine, which this process asks until `stop`. It never answers a question about a name under `silent.test`. */
export class NameServer {
  /** The addresses of each name; any other name does not exist. */
  readonly addresses = new Map<string, readonly string[]>();
  readonly asked = new Set<string>();
  private readonly socket = createSocket('udp4');
  private readonly before = dns.getServers();

  async start(): Promise<this> {
    this.socket.on('message', (query, { port, address }) => {
      const answer = this.answer(query);
      if (answer) this.socket.send(answer, port, address);
    });
    this.socket.bind(0, '127.0.0.1');
    await once(this.socket, 'listening');
    dns.setServers([`127.0.0.1:${this.socket.address().port}`]);
    return this;
  }

  stop(): void {
    dns.setServers(this.before);
    this.socket.close();
  }

  private answer(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    const type = query.readUInt16BE(at + 1);
    this.asked.add(name);
    if (name.endsWith('.silent.test')) return undefined;
    const known = this.addresses.get(name);
    const found = (known ?? []).map((one) => ipaddr.parse(one)).filter((one) => type === (one.kind() === 'ipv4' ? A : AAAA));
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    // A response, with recursion; 3 means that the name does not exist.
    header.writeUInt16BE(0x8180 | (known ? 0 : 3), 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt16BE(0, 10);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, at + 5), ...found.map((one) => recordOf(type, one.toByteArray()))]);
  }
}

/** A record of the name in the question, for class IN, with a time to live of 0. */
function recordOf(type: number, address: readonly number[]): Buffer {
  return Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address]);
}
