import type { Relation } from '@fibre/client';
import { useState } from 'preact/hooks';
import type { Words } from '../../api/refusal.js';
import { useApp } from '../../session/context.js';
import { formatNumber } from '../../texts.js';
import { SelectField } from '../../ui/form/select-field.js';
import { LARGEST_PAGE } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { texts } from './coverage-texts.js';
import { TextFilter } from '../../ui/form/text-filter.js';

const BY_ID = 'by-id';

export interface Relations {
  readonly known: readonly Relation[];
  readonly hasFailed: boolean;
}

/** The relations to choose from, by name. */
export function useRelations(mayRead: boolean): Relations {
  const { fibre } = useApp();
  const load = async (signal: AbortSignal) =>
    mayRead ? (await fibre.coverage.relations.list({ _page_size: LARGEST_PAGE }, { signal })).items : [];
  const { data, error } = useLoad<Relation[]>(load, String(mayRead));
  return { known: data ?? [], hasFailed: error !== undefined };
}

/** A relation, by its name or its relation_id. */
export function RelationChoice(props: {
  relations: Relations;
  value: string | undefined;
  error: Words | undefined;
  onChange: (relation_id: string | undefined) => void;
  /** The label for no choice. */
  noneLabel?: string;
}) {
  const t = texts();
  const { value } = props;
  const { known, hasFailed } = props.relations;
  const [isById, setById] = useState(false);
  const isKnown = value === undefined || known.some(({ relation_id }) => relation_id === value);
  const choice = isById || !isKnown ? BY_ID : (value ?? '');
  const choose = (chosen: string): void => {
    setById(chosen === BY_ID);
    if (chosen !== BY_ID) props.onChange(chosen || undefined);
  };
  return (
    <>
      <SelectField
        name="relation"
        label={t.relationOf}
        value={choice}
        options={[
          { value: '', label: props.noneLabel ?? t.everyRelation },
          ...known.map(({ relation_id, name }) => ({ value: relation_id, label: name })),
          { value: BY_ID, label: t.byId },
        ]}
        onChange={choose}
        hint={hasFailed ? t.relationsFailed : known.length >= LARGEST_PAGE ? t.relationsLimited(formatNumber(known.length)) : undefined}
        error={choice === BY_ID ? undefined : props.error}
      />
      {choice === BY_ID && (
        <TextFilter name="relation_id" label={t.relationId} value={value} error={props.error} onChange={props.onChange} />
      )}
    </>
  );
}
