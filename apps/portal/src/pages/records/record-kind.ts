import type { Call, CallOptions, FibreClient, Listing } from '@fibre/client';
import type { ComponentChildren } from 'preact';
import type { Scope } from '../../configuration.js';
import type { Column } from '../../ui/table.js';
import type { TextProps } from '../../ui/form/field.js';
import type { Values } from '../../ui/form/form.js';

/** What all kinds of records have. */
export interface NamedRecord {
  readonly name: string;
  readonly created_at: string;
  readonly created_by?: string;
  readonly modified_at: string;
  readonly modified_by?: string;
}

/** `use` says what the id is for; `idHint` and `idTaken` are only for kinds whose id a person may choose. */
type KindTexts = Readonly<Record<'explanation' | 'none' | 'create' | 'use', string>> &
  Readonly<Partial<Record<'idHint' | 'idTaken', string>>>;

/** What differs between the kinds of records, which are relations and ISPs. */
export interface RecordKind<R extends NamedRecord = NamedRecord> {
  /** Path of the list, and the key of its title among the texts; the paths of its records are below it. */
  readonly path: 'relations' | 'isps';
  readonly idName: keyof R & string;
  readonly writeScope: Scope;
  readonly texts: () => KindTexts;
  /** Shown above the heading of the list. */
  readonly group?: () => string;
  /** The fields of the form, each with the name of a member of the record; what is not required may be empty. */
  readonly fields: () => readonly Pick<TextProps, 'name' | 'label' | 'hint' | 'isRequired' | 'isLong' | 'type'>[];
  /** Columns of the list between name and id. */
  readonly columns: () => readonly Column<R>[];
  /** Additional content for a record's page. */
  readonly facts?: (record: R) => readonly (readonly [name: string, value: ComponentChildren])[];
  /** Shown next to the id. */
  readonly link?: (record: R) => ComponentChildren;
  /** Actions on the record. */
  readonly Next?: (props: { record: R }) => ComponentChildren;
  /** Deletes the record. @param reload shows what somebody else has changed */
  readonly Remove: (props: { record: R; etag: string; reload: () => void }) => ComponentChildren;

  readonly list: (fibre: FibreClient, query: { _page_size: number; _order: 'desc' }, options: CallOptions) => Listing<R>;
  readonly read: (fibre: FibreClient, id: string, options?: CallOptions) => Call<R>;
  /** @param id id of the new record, if a person chose it */
  readonly create: (fibre: FibreClient, values: Values, id?: string) => PromiseLike<R>;
  readonly update: (fibre: FibreClient, id: string, values: Values, ifMatch: string) => PromiseLike<R>;
}

export const idOf = <R extends NamedRecord>({ idName }: { idName: keyof R }, record: R): string => record[idName] as string;

/** The form values of a record, by default of a new one. */
export const valuesOf = <R extends NamedRecord>(kind: RecordKind<R>, record?: R): Values =>
  Object.fromEntries(kind.fields().map(({ name }) => [name, (record?.[name as keyof R] as string | undefined) ?? '']));

export const requiredIn = (kind: Pick<RecordKind, 'fields'>): string[] =>
  kind.fields().flatMap(({ name, isRequired }) => (isRequired ? name : []));

/** The values as the body of a request. @param empty sent for an empty value, which is otherwise left out */
export const bodyOf = <T>(values: Values, empty?: null): T =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value || empty])) as T;
