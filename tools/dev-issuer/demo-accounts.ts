/** Clients and people of the development issuer. Their secrets are public: never register them with a real issuer. */

export interface DemoClient {
  id: string;
  secret: string;
  tenant: string;
  scopes: readonly string[];
}

/** What an operator needs, and an ISP. */
export const OPERATOR_SCOPES = [
  'coverage:read',
  'coverage:write',
  'coverage:search',
  'events:read',
  'events:write',
  'events:erase',
] as const;
/** What a billing clerk needs. */
const CLERK_SCOPES = ['events:read', 'closings:write'] as const;
const ISP_SCOPES = ['coverage:search', 'charges:read'] as const;
export const ALL_SCOPES = [...new Set([...OPERATOR_SCOPES, ...CLERK_SCOPES, ...ISP_SCOPES])];

export const DEMO_CLIENTS: readonly DemoClient[] = [
  { id: 'ano-demo', secret: 'ano-demo-secret', tenant: 'ano.demo', scopes: OPERATOR_SCOPES },
  { id: 'ano-other', secret: 'ano-other-secret', tenant: 'ano.other', scopes: OPERATOR_SCOPES },
  { id: 'isp-demo', secret: 'isp-demo-secret', tenant: 'isp.demo', scopes: ISP_SCOPES },
  { id: 'isp-other', secret: 'isp-other-secret', tenant: 'isp.other', scopes: ISP_SCOPES },
];

export function demoClient(id: string): DemoClient {
  const client = DEMO_CLIENTS.find((candidate) => candidate.id === id);
  if (!client) throw new Error(`there is no demo client ${id}`);
  return client;
}

/** A person who can sign in to the portal. */
export interface DemoPerson {
  email: string;
  name: string;
  tenant: string;
  scopes: readonly string[];
}

export const DEMO_PASSWORD = 'demo';

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  { email: 'anna@ano.demo', name: 'Anna', tenant: 'ano.demo', scopes: OPERATOR_SCOPES },
  { email: 'carla@ano.demo', name: 'Carla', tenant: 'ano.demo', scopes: CLERK_SCOPES },
  { email: 'ivan@isp.demo', name: 'Ivan', tenant: 'isp.demo', scopes: ISP_SCOPES },
  { email: 'irene@isp.other', name: 'Irene', tenant: 'isp.other', scopes: ISP_SCOPES },
];

export const demoPerson = (email: string): DemoPerson | undefined => DEMO_PEOPLE.find((person) => person.email === email);
