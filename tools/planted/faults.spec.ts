import { edited } from './copy.js';
import { FAULTS } from './faults.js';

// `npm run planted` runs at night; a change of the code that a fault replaces shows here.
test.each(FAULTS.map((fault) => [fault.rule, fault] as const))('the fault against "%s" can be planted', (_rule, fault) => {
  expect(() => edited(fault)).not.toThrow();
});
