import type { Listing } from '@fibre/client';
import { useState } from 'preact/hooks';
import { LARGEST_PAGE } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { useScope } from '../../session/context.js';
import type { Scope } from '../../configuration.js';
import { defineTexts, formatNumber } from '../../texts.js';
import { type FieldProps, SelectField, TextFilter } from './field.js';

const texts = defineTexts({
  byId: [(idName: string) => `By its ${idName} …`, (idName) => `Über die ${idName} …`],
  failed: [(id: string) => `The names could not be loaded; use the ${id}.`, (id) => `Die Namen fehlen; geben Sie die ${id} ein.`],
  limited: [
    (count: string, idName: string) => `Only the first ${count} are listed. For others, use the ${idName}.`,
    (count, idName) => `Nur die ersten ${count} stehen zur Wahl. Für andere geben Sie die ${idName} ein.`,
  ],
});

const BY_ID = 'by-id';

/** Records to choose from by name, such as all relations. */
export interface Records {
  readonly idName: string;
  readonly nameOf: ReadonlyMap<string, string>;
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
}

export function useRecords<I extends string>(
  idName: I,
  scope: Scope,
  list: (query: { _page_size: number }, options: { signal: AbortSignal }) => Listing<Record<I | 'name', string>>,
): Records {
  const mayRead = useScope(scope);
  const load = async (signal: AbortSignal) => (mayRead ? (await list({ _page_size: LARGEST_PAGE }, { signal })).items : []);
  const { data = [], isLoading, error } = useLoad(load, String(mayRead));
  return { idName, nameOf: new Map(data.map((one) => [one[idName], one.name])), isLoading, hasFailed: error !== undefined };
}

/** Chooses a record by its name, or any record by its id. */
export function RecordChoice(props: FieldProps & { records: Records; /** The label for no choice. */ noneLabel?: string }) {
  const t = texts();
  const { records, noneLabel = t.choose, value, error, onChange, ...field } = props;
  const { idName, nameOf, isLoading, hasFailed } = records;
  const [isByIdChosen, setByIdChosen] = useState(false);
  const isById = isByIdChosen || (value !== '' && !isLoading && !nameOf.has(value));
  const hint = hasFailed ? t.failed(idName) : nameOf.size >= LARGEST_PAGE ? t.limited(formatNumber(nameOf.size), idName) : undefined;
  return (
    <>
      <SelectField
        {...field}
        value={isById ? BY_ID : value}
        options={[
          { value: '', label: noneLabel },
          ...(value !== '' && isLoading ? [{ value, label: value }] : []),
          ...Array.from(nameOf, ([id, name]) => ({ value: id, label: name })),
          { value: BY_ID, label: t.byId(idName) },
        ]}
        onChange={(chosen) => {
          setByIdChosen(chosen === BY_ID);
          if (chosen !== BY_ID) onChange(chosen);
        }}
        hint={hint}
        error={isById ? undefined : error}
      />
      {isById && <TextFilter name={idName} label={idName} value={value} error={error} onChange={onChange} />}
    </>
  );
}
