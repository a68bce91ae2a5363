import { randomUUID } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { ALL_SCOPES, DEMO_CLIENTS } from '../dev-issuer/demo-clients.js';
import { columns, paint } from '../terminal.js';
import { DATA_DIR } from '../workspace.js';
import { type Service, serviceUrl } from './services.js';

/** What somebody who has just started the stack wants to know. */
export function welcome(services: readonly Service[], issuerUrl: string): string {
  const title = (text: string) => `\n${paint('bold', text)}\n`;
  return [
    title('Running'),
    columns([
      ...services.flatMap((service) => [
        [service.name, `${serviceUrl(service)}${service.api}`],
        ['', `${serviceUrl(service)}${service.api}/docs`],
      ]),
      ['issuer', `${issuerUrl}/token`],
      ['', `${issuerUrl}/.well-known/openid-configuration`],
      ['data', DATA_DIR],
    ]),
    '\n',
    title('Clients'),
    columns([
      ['id', 'secret', 'tenant', 'scopes'],
      ...DEMO_CLIENTS.map(({ id, secret, tenant, scopes }) => [id, secret, tenant, scopes === ALL_SCOPES ? 'all' : scopes.join(' ')]),
    ]),
    '\n',
    title('Try it'),
    requests(services, issuerUrl)
      .map((line) => `  ${line}\n`)
      .join(''),
    '  npm run tour\n',
    `\nCtrl-C stops everything; the data stays.\n`,
  ].join('');
}

/** Lines to paste into a shell; they need no more than curl and the Node.js that runs this. */
function requests(services: readonly Service[], issuerUrl: string): string[] {
  const accessToken = `node -p 'JSON.parse(require("fs").readFileSync(0)).access_token'`;
  const authorization = '-H "Authorization: Bearer $TOKEN"';
  const body = "-H 'Content-Type: application/json' -d";
  const can = JSON.stringify({ relation_id: randomUUID(), token: 'operation', center: '48.2108, 16.3575' });
  const entityId = randomUUID();
  const examples: Record<string, (api: string) => string[]> = {
    'coverage-service': (api) => [
      `curl -s ${authorization} ${body} '${can}' ${api}/nodes/`,
      `curl -s ${authorization} '${api}/search/?center=48.2108,16.3575'`,
    ],
    'event-service': (api) => [
      `curl -s ${authorization} -X PUT ${body} '${activationOf(entityId)}' ${api}/`,
      `curl -s ${authorization} '${api}/?entity_id=${entityId}'`,
    ],
  };
  return [
    `TOKEN=$(curl -s -u ano-demo:ano-demo-secret -d grant_type=client_credentials ${issuerUrl}/token | ${accessToken})`,
    ...services.flatMap((service) => examples[service.name]?.(serviceUrl(service) + service.api) ?? []),
  ];
}

/** An event that may be recorded right now: its time has passed, and its offset is the one of the default time zone. */
function activationOf(entity_id: string): string {
  const event_at = Temporal.Now.zonedDateTimeISO('Europe/Vienna').toString({ smallestUnit: 'second', timeZoneName: 'never' });
  const sys_attributes = { partner_id: randomUUID(), article_codes: ['FIBRE-100'] };
  return JSON.stringify({ entity_id, event_type: 'activation', event_at, sys_attributes });
}
