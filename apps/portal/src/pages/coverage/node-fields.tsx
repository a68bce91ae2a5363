import { type AccessNode, type AccessNodeChanges, STATUSES, TOKENS } from '@fibre/client';
import { SelectField, TextField } from '../../ui/form/field.js';
import type { FormState } from '../../ui/form/form.js';
import { choicesOf, texts } from './coverage-texts.js';

export const REQUIRED = ['center', 'token', 'status'] as const;
const NUMBERS = ['download_mbps', 'upload_mbps', 'units', 'units_connected'] as const;
const OPTIONAL = ['technology', 'customer_reference', 'address_id', 'address', 'available_from', ...NUMBERS] as const;
export const FIELDS = [...REQUIRED, ...OPTIONAL] as const;
export type NodeValues = Record<(typeof FIELDS)[number], string>;

export const valuesOf = (node: Partial<AccessNode>): NodeValues =>
  Object.fromEntries(FIELDS.map((name) => [name, String(node[name] ?? '')])) as NodeValues;

/** What is not a number is sent as it is, and the service says what is wrong with it. */
export function sentOf(name: string, typed: string): string | number | null {
  const text = typed.trim();
  if (text === '') return null;
  const number = Number(text.replace(',', '.'));
  return (NUMBERS as readonly string[]).includes(name) && !Number.isNaN(number) ? number : text;
}

/** The values as an update sends them: an empty optional field becomes `null`. */
export const changesOf = (values: NodeValues): AccessNodeChanges =>
  ({ ...values, ...Object.fromEntries(OPTIONAL.map((name) => [name, sentOf(name, values[name])])) }) as object;

/** The inputs for the fields of a node that people can change. */
export function NodeFields<V extends NodeValues>({ form }: { form: FormState<V> }) {
  const t = texts();
  return (
    <>
      <div class="filter-fields">
        <SelectField {...form.field('token')} label={t.token} options={choicesOf(TOKENS)} />
        <SelectField {...form.field('status')} label={t.status} options={choicesOf(STATUSES)} />
      </div>
      <TextField {...form.field('center')} label={t.center} hint={t.centerHint} />
      <div class="filter-fields">
        {OPTIONAL.map((name) => (
          <TextField key={name} {...form.field(name)} label={t[name]} type={name === 'available_from' ? 'date' : undefined} />
        ))}
      </div>
    </>
  );
}
