import type { Isp } from '@fibre/client';
import { useState } from 'preact/hooks';
import { useApp, useScope } from '../../session/context.js';
import { page } from '../../configuration.js';
import { Field } from '../../ui/form/field.js';
import type { FormState } from '../../ui/form/use-form.js';
import { LARGEST_PAGE } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { texts } from './entity-texts.js';

/** The registry of ISPs, for choices and names. */
export interface Isps {
  readonly all: readonly Isp[];
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
}

export function useIsps(): Isps {
  const { fibre } = useApp();
  const mayRead = useScope('events:read');
  const load = async (signal: AbortSignal) => (mayRead ? fibre.isps.list({ _page_size: LARGEST_PAGE }, { signal }) : undefined);
  const { data, isLoading, error } = useLoad(load, String(mayRead));
  return { all: data?.items ?? [], isLoading, hasFailed: error !== undefined };
}

const nameOf = ({ all }: Isps, id: string): string | undefined => all.find(({ partner_id }) => partner_id === id)?.name;

/** An ISP by its name if it is registered, otherwise by its id. */
export function IspName({ isps, partner_id }: { isps: Isps; partner_id: string }) {
  const name = nameOf(isps, partner_id);
  return name === undefined ? (
    <code>{partner_id}</code>
  ) : (
    <a href={page(`isps/${partner_id}`)} class="clipped">
      <bdi>{name}</bdi>
    </a>
  );
}

export const ispLabel = (isps: Isps, partner_id: string): string => nameOf(isps, partner_id) ?? partner_id;

/** An ISP of the registry, or any other by its id. */
export function IspField<V extends Record<'partner_id', string> | Record<'sys_attributes.partner_id', string>>(props: {
  form: FormState<V>;
  name: keyof V & string;
  isps: Isps;
  /** The label for no choice. */
  noneLabel: string;
  isOptional?: boolean;
}) {
  const t = texts();
  const { form, name, isps } = props;
  const value = form.values[name] as string;
  const isKnown = nameOf(isps, value) !== undefined;
  const [isByIdChosen, setByIdChosen] = useState(false);
  const isById = isByIdChosen || (value !== '' && !isKnown && !isps.isLoading);
  return (
    <Field form={form} name={name} label={t.isp} isOptional={props.isOptional ?? false} hint={isps.hasFailed ? t.ispsFailed : undefined}>
      {(attributes) => (
        <>
          <select
            {...attributes}
            value={isById ? 'by-id' : value}
            onChange={({ currentTarget }) => {
              const choice = currentTarget.value;
              setByIdChosen(choice === 'by-id');
              form.set(name, choice === 'by-id' ? '' : choice);
            }}
          >
            <option value="">{props.noneLabel}</option>
            {value !== '' && isps.isLoading && <option value={value}>{value}</option>}
            {isps.all.map((isp) => (
              <option key={isp.partner_id} value={isp.partner_id}>
                {isp.name}
              </option>
            ))}
            <option value="by-id">{t.byId}</option>
          </select>
          {isById && (
            <input
              type="text"
              autoComplete="off"
              aria-label={t.partnerId}
              aria-invalid={attributes['aria-invalid']}
              aria-describedby={attributes['aria-describedby']}
              value={value}
              onInput={({ currentTarget }) => {
                setByIdChosen(true);
                form.set(name, currentTarget.value);
              }}
            />
          )}
        </>
      )}
    </Field>
  );
}
