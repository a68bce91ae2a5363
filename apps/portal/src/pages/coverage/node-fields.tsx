import { type AccessNode, type AccessNodeChanges, STATUSES, TOKENS } from '@fibre/client';
import { SelectField, TextField } from '../../ui/form/field.js';
import type { FormState } from '../../ui/form/form.js';
import { choicesOf, texts } from './coverage-texts.js';

export const REQUIRED = ['center', 'token', 'status'] as const;
const NUMBERS = ['units', 'download_mbps', 'upload_mbps'] as const;
const OPTIONAL = ['technology', 'customer_reference', 'address_id', 'available_from', ...NUMBERS] as const;
type Optional = (typeof OPTIONAL)[number];

/** Initial values of the form for a new node. */
export const NO_NODE = {
  center: '',
  token: 'planned',
  status: 'active',
  ...(Object.fromEntries(OPTIONAL.map((name) => [name, ''])) as Record<Optional, string>),
};
export type NodeValues = Record<keyof typeof NO_NODE, string>;

export const valuesOf = (node: AccessNode): NodeValues => {
  const { center, token, status } = node;
  const optional = Object.fromEntries(OPTIONAL.map((name) => [name, String(node[name] ?? '')])) as Record<Optional, string>;
  return { center, token, status, ...optional };
};

/** What is not a number is sent as it is, and the service says what is wrong with it. */
function sentOf(name: Optional, typed: string): string | number | null {
  const text = typed.trim();
  if (text === '') return null;
  const number = Number(text.replace(',', '.'));
  return (NUMBERS as readonly string[]).includes(name) && !Number.isNaN(number) ? number : text;
}

/** The values as an update sends them: an empty optional field becomes `null`. */
export const changesOf = (values: NodeValues): AccessNodeChanges =>
  ({ ...values, ...Object.fromEntries(OPTIONAL.map((name) => [name, sentOf(name, values[name])])) }) as object;

/** The fields of a node that people can change. */
export function NodeFields<V extends NodeValues>({ form }: { form: FormState<V> }) {
  const t = texts();
  return (
    <>
      <div class="coverage-pair">
        <SelectField {...form.field('token')} label={t.token} options={choicesOf(TOKENS)} />
        <SelectField {...form.field('status')} label={t.status} options={choicesOf(STATUSES)} />
      </div>
      <TextField {...form.field('center')} label={t.center} hint={t.centerHint} />
      <div class="coverage-pair">
        {OPTIONAL.map((name) => (
          <TextField key={name} {...form.field(name)} label={t[name]} type={name === 'available_from' ? 'date' : undefined} />
        ))}
      </div>
    </>
  );
}
