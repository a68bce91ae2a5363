import dns, { type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Each try asks every name server once. */
const DNS_TRIES = { timeout: 2_000, tries: 2 };
/** Names of this machine (RFC 6761), which are not looked up. */
const LOCALHOST = /(^|\.)localhost$/;
/** Azure's metadata service, the only metadata service with a public address. */
const METADATA = '168.63.129.16';
/** IPv6 ranges whose addresses contain an IPv4 address, and the position of its first byte: compatible, mapped, NAT64, 6to4. */
const EMBEDDING: readonly (readonly [Range, number])[] = (
  [
    ['::/96', 12],
    ['::ffff:0:0/96', 12],
    ['64:ff9b::/96', 12],
    ['2002::/16', 2],
  ] as const
).map(([range, start]) => [ipaddr.parseCIDR(range), start]);
/** The only IPv6 range with public addresses. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

/** The addresses of receivers, except those to which tenants must not send. */
export class ReceiverAddresses {
  private readonly allowed: Range[];

  /** @param allowed addresses and ranges (CIDR) that may be used although they are not public */
  constructor(allowed: readonly string[]) {
    this.allowed = allowed.map((one) => (one.includes('/') ? ipaddr.parseCIDR(one) : rangeOf(ipaddr.process(one))));
  }

  /**
   * Returns no address if one of them is refused, and no reason, because tenants must not learn which names exist in our network.
   *
   * @param hostname of a `URL`, which has already brought every spelling of an IP address into its usual form
   */
  async of(hostname: string, signal: AbortSignal): Promise<LookupAddress[]> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) ? [host] : LOCALHOST.test(host) ? ['127.0.0.1', '::1'] : await resolve(host, signal);
    return found.every((one) => this.isAllowed(one)) ? found.map((address) => ({ address, family: isIP(address) })) : [];
  }

  private isAllowed(text: string): boolean {
    const address = ipaddr.parse(text);
    const real = embeddedIn(address) ?? address;
    if ([address, real].some((one) => ipaddr.subnetMatch(one, { allowed: this.allowed }) === 'allowed')) return true;
    return real.range() === 'unicast' && real.toString() !== METADATA && (real.kind() === 'ipv4' || real.match(GLOBAL));
  }
}

const rangeOf = (address: Address): Range => [address, address.kind() === 'ipv4' ? 32 : 128];

function embeddedIn(address: Address): ipaddr.IPv4 | undefined {
  const start = EMBEDDING.find(([range]) => address.kind() === 'ipv6' && address.match(range))?.[1];
  return start === undefined ? undefined : new ipaddr.IPv4(address.toByteArray().slice(start, start + 4));
}

/**
 * All addresses of a name. `dns.lookup` would wait in Node's thread pool for a silent name server, and with it the connections to the
 * database.
 */
async function resolve(name: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver(DNS_TRIES);
  // Those of `dns.setServers`, which replaces `dns.getServers`, if a test has called it.
  resolver.setServers(dns.getServers());
  signal.addEventListener('abort', () => resolver.cancel());
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
