import { styleText } from 'node:util';
import type { Temporal } from 'temporal-polyfill';
import { columns } from '../columns.js';
import { DEMO_CLIENTS, DEMO_PASSWORD, DEMO_PEOPLE, OPERATOR_SCOPES } from '../dev-issuer/demo-accounts.js';
import { DATA_DIR } from '../workspace.js';
import { ISSUER_URL, PORTAL_URL, SERVICES, serviceUrl } from './stack.js';

/**
 * Addresses and demo users.
 *
 * @param resetAt when a sandbox is erased
 */
export function welcome(resetAt?: Temporal.PlainTime): string {
  const title = (text: string) => `\n${styleText('bold', text)}\n`;
  return [
    title('Running'),
    columns([
      ['portal', PORTAL_URL],
      ...SERVICES.flatMap((service) => [
        [service.name, `${serviceUrl(service)}${service.api}`],
        ['', `${serviceUrl(service)}${service.api}/docs`],
      ]),
      ['issuer', `${ISSUER_URL}/token`],
      ['', `${ISSUER_URL}/.well-known/openid-configuration`],
      ['data', DATA_DIR],
    ]),
    '\n',
    title('Clients'),
    columns([['id', 'secret', 'tenant', 'scopes'], ...DEMO_CLIENTS.map((client) => [client.id, client.secret, ...rightsOf(client)])]),
    '\n',
    title('People who can sign in to the portal'),
    columns([
      ['e-mail', 'password', 'tenant', 'scopes'],
      ...DEMO_PEOPLE.map((person) => [person.email, DEMO_PASSWORD, ...rightsOf(person)]),
    ]),
    '\n',
    resetAt
      ? `\nA sandbox with the data of npm run tour. Everything in it is erased at ${resetAt.toString({ smallestUnit: 'minute' })} every night, and when it starts. Ctrl-C stops everything.\n`
      : '\nnpm run tour shows requests to both APIs. Ctrl-C stops everything; the data is kept.\n',
  ].join('');
}

const rightsOf = ({ tenant, scopes }: { tenant: string; scopes: readonly string[] }): string[] => [
  tenant,
  scopes === OPERATOR_SCOPES ? 'coverage:* events:*' : scopes.join(' '),
];
