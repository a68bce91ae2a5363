import { randomUUID } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { curlCommand, keepMember, tokenCommand } from '../curl.js';
import { columns, paint } from '../terminal.js';
import { DEMO_CLIENTS, DEMO_PASSWORD, DEMO_PEOPLE, demoClient, OPERATOR_SCOPES } from '../dev-issuer/demo-accounts.js';
import { DATA_DIR } from '../workspace.js';
import { ISSUER_URL, PORTAL_URL, SERVICES, serviceUrl } from './stack.js';

/** Addresses, demo users, and requests to try. */
export function welcome(): string {
  const title = (text: string) => `\n${paint('bold', text)}\n`;
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
    title('Try it'),
    requests()
      .map((line) => `  ${line}\n`)
      .join(''),
    '  npm run tour\n',
    `\nCtrl-C stops everything; the data is kept.\n`,
  ].join('');
}

const rightsOf = ({ tenant, scopes }: { tenant: string; scopes: readonly string[] }): string[] => [
  tenant,
  scopes === OPERATOR_SCOPES ? 'all but charges:read' : scopes.join(' '),
];

/** Shell commands to paste. */
function requests(): string[] {
  // The shell fills in the time, because relation names must be unique, and the id that the preceding command returned.
  const [now, relationId] = [`'$(date +%s)'`, `'$RELATION_ID'`];
  const can = { relation_id: 'RELATION_ID', token: 'operation', center: '48.2108, 16.3575' };
  const entityId = randomUUID();
  const [coverage, events] = SERVICES.map((service) => serviceUrl(service) + service.api);
  const relation = curlCommand('POST', `${coverage}/relations/`, { body: { name: 'Tried at NOW', pip: 'Stadtnetz' } });
  return [
    tokenCommand(ISSUER_URL, demoClient('ano-demo')),
    keepMember(
      'RELATION_ID',
      relation.replace('NOW', () => now),
      'relation_id',
    ),
    curlCommand('POST', `${coverage}/nodes/`, { body: can }).replace('RELATION_ID', () => relationId),
    curlCommand('GET', `${coverage}/search/?center=48.2108,16.3575`),
    curlCommand('PUT', `${events}/`, { body: activationOf(entityId) }),
    curlCommand('GET', `${events}/?entity_id=${entityId}`),
  ];
}

/** An event that can be recorded right now: its time has passed, and its offset is that of the default time zone. */
function activationOf(entity_id: string): object {
  const event_at = Temporal.Now.zonedDateTimeISO('Europe/Vienna').toString({ smallestUnit: 'second', timeZoneName: 'never' });
  const sys_attributes = { partner_id: randomUUID(), article_codes: ['FIBRE-100'] };
  return { entity_id, event_type: 'activation', event_at, sys_attributes };
}
