import { type AccessNode, type AccessNodeChanges, STATUSES, TOKENS } from '@fibre/client';
import { TextField } from '../../ui/form/field.js';
import { SelectField } from '../../ui/form/select-field.js';
import type { FormState } from '../../ui/form/use-form.js';
import { fieldName, statusName, texts, tokenName } from './coverage-texts.js';

const OPTIONAL = ['technology', 'customer_reference', 'address_id'] as const;

/** A new node before anything is typed. */
export const NO_NODE = { center: '', token: 'planned', status: 'active', technology: '', customer_reference: '', address_id: '' };
export type NodeValues = Record<keyof typeof NO_NODE, string>;

export const valuesOf = (node: AccessNode): NodeValues => {
  const { center, token, status, technology = '', customer_reference = '', address_id = '' } = node;
  return { center, token, status, technology, customer_reference, address_id };
};

/** What an update says: an emptied field is cleared. */
export const changesOf = (values: NodeValues): AccessNodeChanges =>
  ({ ...values, ...Object.fromEntries(OPTIONAL.map((name) => [name, values[name] || null])) }) as AccessNodeChanges;

/** What a person says of a node. */
export function NodeFields<V extends NodeValues>({ form }: { form: FormState<V> }) {
  const t = texts();
  const choice = (name: 'token' | 'status', values: readonly string[], nameOf: (value: string) => string) => (
    <SelectField
      name={name}
      label={t[name]}
      value={form.values[name]}
      options={values.map((value) => ({ value, label: nameOf(value) }))}
      onChange={(value) => form.set(name, value)}
      error={form.errorOf(name)}
    />
  );
  return (
    <>
      <div class="coverage-pair">
        {choice('token', TOKENS, tokenName)}
        {choice('status', STATUSES, statusName)}
      </div>
      <TextField form={form} name="center" label={t.center} hint={t.centerHint} />
      <div class="coverage-pair">
        {OPTIONAL.map((name) => (
          <TextField key={name} form={form} name={name} label={fieldName(name)} isOptional />
        ))}
      </div>
    </>
  );
}
