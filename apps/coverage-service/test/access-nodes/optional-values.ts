import { keyText } from '@fibre/dto';
import fc from 'fast-check';
import { OPTIONAL_FIELDS, type OptionalField } from '../../src/access-nodes/access-node.js';

export type Value = string | number;

/** Values that a format writes in a special way, or that other programs misread. */
export const SPECIAL = ['=1+1', '"', '""', 'a,b', ';', '\\', '\\N', '\\v', 'a b', 'a\u00a0b', '🏠', '\\.', 'null', ',"lot_id":"\\N"'];
const LIKE_A_VALUE = fc.constantFrom(...SPECIAL);
const texts = (max: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      LIKE_A_VALUE,
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      fc.tuple(LIKE_A_VALUE, LIKE_A_VALUE).map((both) => both.join('')),
    )
    .filter((text) => keyText(1, max)(text) === undefined);
const isNoFormula = (text: string): boolean => !/^[=+\-@]/.test(text);
const dates = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const units = fc.integer({ min: 0, max: 10_000 });
const speeds = fc.integer({ min: 0, max: 1_000_000_000 }).map((kilobits) => kilobits / 1_000);

const VALUES: Readonly<Record<OptionalField, fc.Arbitrary<Value>>> = {
  technology: texts(64).filter(isNoFormula),
  country: fc.constantFrom('AT', 'DE', 'CH'),
  address_id: texts(64).filter(isNoFormula),
  address: texts(255).filter(isNoFormula),
  lot_id: texts(64).filter(isNoFormula),
  available_from: dates,
  units,
  units_connected: units,
  download_mbps: speeds,
  upload_mbps: speeds,
  customer_reference: texts(255),
};

/** Valid values of an optional field. */
function valuesOf(name: OptionalField): fc.Arbitrary<Value> {
  // The services' tests are compiled without a type check.
  if (!(name in VALUES)) throw new Error(`optional-values.ts needs values of ${name}`);
  return VALUES[name];
}

/** The fields of a node with no more units connected than it has. */
export function withFittingUnits<Node extends { units: Value | null; units_connected: Value | null }>(node: Node): Node {
  const [units, connected] = [node.units as number | null, node.units_connected as number | null];
  return { ...node, units_connected: units === null || connected === null ? null : Math.min(units, connected) };
}

/** A value, or null, for each optional field of a node. They need {@link withFittingUnits}. */
export const optionalValues = Object.fromEntries(OPTIONAL_FIELDS.map((name) => [name, fc.option(valuesOf(name), { nil: null })])) as Record<
  OptionalField,
  fc.Arbitrary<Value | null>
>;

/** A value for each optional field, always the same. */
export const optionalExamples: Readonly<Record<OptionalField, Value>> = withFittingUnits(
  fc.sample(fc.record(Object.fromEntries(OPTIONAL_FIELDS.map((name) => [name, valuesOf(name)]))), { numRuns: 1, seed: 1 })[0] as Record<
    OptionalField,
    Value
  >,
);
