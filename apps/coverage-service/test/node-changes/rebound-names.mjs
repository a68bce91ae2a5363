// Preloaded into a service. A name under `.test` resolves to the addresses that a file lists at the time of the lookup.
import { readFileSync } from 'node:fs';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const { lookup } = dns;
dns.lookup = (name, options, callback) => {
  if (!name.endsWith('.test')) return lookup(name, options, callback);
  const addresses = JSON.parse(readFileSync(process.env.REBOUND_NAMES, 'utf8'))[name].map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  if (options.all) callback(null, addresses);
  else callback(null, addresses[0].address, addresses[0].family);
};
syncBuiltinESMExports();
