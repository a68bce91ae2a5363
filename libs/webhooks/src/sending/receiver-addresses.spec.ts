import { ReceiverAddresses } from './receiver-addresses.js';

/** Which of these hosts may be sent to. No connection is made, so that the test does not depend on this machine's network. */
async function usable(allowed: readonly string[], hosts: readonly string[]): Promise<string[]> {
  const addresses = new ReceiverAddresses(allowed);
  const found = await Promise.all(hosts.map((host) => addresses.of(host, new AbortController().signal)));
  return hosts.filter((_host, index) => found[index]!.length > 0);
}

test('an address that contains an IPv4 address is judged by it: compatible, mapped, NAT64 and 6to4', async () => {
  const forms = (ipv4: string): string[] => [`[::${ipv4}]`, `[::ffff:${ipv4}]`, `[64:ff9b::${ipv4}]`, `[2002:${ipv4}::]`];
  const isPublic = ['8.8.8.8', '[2606:4700::1111]', ...forms('808:808')];
  // Loopback, link-local, private, Azure's metadata service, unspecified.
  const isNot = ['7f00:1', 'a9fe:a9fe', 'a00:1', 'a83f:8110', '0:1'].flatMap(forms);
  expect(await usable([], [...isPublic, ...isNot])).toEqual(isPublic);
  expect(await usable(['10.0.0.0/8'], [...isPublic, ...isNot])).toEqual([...isPublic, ...forms('a00:1')]);
});

test.each([
  ['FD00::0005', ['[fd00::5]']],
  ['fd00:0:0:0:0:0:0:5', ['[fd00::5]']],
  ['0:0:0:0:0:0:0:1', ['[::1]']],
  ['fd00::/16', ['[fd00::5]', '[fd00::6]']],
  ['::ffff:127.0.0.1', ['127.0.0.1', '[::ffff:7f00:1]']],
  ['127.0.0.0/8', ['127.0.0.1', '[::ffff:7f00:1]']],
])('WEBHOOK_ALLOW_CIDRS=%s allows %j', async (allowed, hosts) => {
  const all = ['127.0.0.1', '[::ffff:7f00:1]', '[::1]', '[fd00::5]', '[fd00::6]', '10.0.0.1'];
  expect(await usable([allowed], all)).toEqual(all.filter((host) => hosts.includes(host)));
});
