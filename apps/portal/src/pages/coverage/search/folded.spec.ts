import { folded } from './folded.js';

it.each([
  ['St. Pölten', 'sanktpolten'],
  ['Sankt Pölten', 'sanktpolten'],
  ['Groß-Enzersdorf', 'grossenzersdorf'],
  ['  WIEN', 'wien'],
  ['Stams', 'stams'],
])('%s is compared as %s', (name, as) => {
  expect(folded(name)).toBe(as);
});
