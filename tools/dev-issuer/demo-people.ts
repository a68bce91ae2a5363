import { ALL_SCOPES } from './demo-clients.js';

/** Somebody who signs in to the portal. The password is public: never register one of these at a real issuer. */
export interface DemoPerson {
  email: string;
  name: string;
  tenant: string;
  scopes: readonly string[];
}

/** The password of all of them. */
export const DEMO_PASSWORD = 'demo';

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  { email: 'anna@ano.demo', name: 'Anna', tenant: 'ano.demo', scopes: ALL_SCOPES },
  { email: 'ivan@isp.demo', name: 'Ivan', tenant: 'isp.demo', scopes: ['coverage:search'] },
];

export function demoPerson(email: string): DemoPerson | undefined {
  return DEMO_PEOPLE.find((person) => person.email === email);
}
