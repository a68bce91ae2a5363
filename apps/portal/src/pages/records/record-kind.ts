import type { Call, CallOptions, FibreClient, Listing } from '@fibre/client';
import type { ComponentChildren } from 'preact';
import type { Scope } from '../../configuration.js';
import type { Refusal } from '../../api/refusal.js';
import type { Column } from '../../ui/table.js';
import type { Values } from '../../ui/form/use-form.js';

/** What a record has whatever its kind. */
export interface NamedRecord {
  readonly name: string;
  readonly created_at: string;
  readonly modified_at: string;
}

export interface FieldOf<V> {
  readonly name: keyof V & string;
  readonly label: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly isLong?: boolean;
  readonly type?: 'email';
}

export interface KindTexts {
  /** Of the list. */
  readonly title: string;
  readonly explanation: string;
  readonly none: string;
  readonly create: string;
  /** What the id is for. */
  readonly use: string;
  readonly remove: string;
  readonly removeWarning: string;
  readonly inUse: string;
  readonly inUseWhy: string;
  /** Only kinds whose id a person may choose have these. */
  readonly idHint?: string;
  readonly idTaken?: string;
}

/** What tells one kind of record from another: relations, ISPs. */
export interface RecordKind<R extends NamedRecord = NamedRecord, V extends Values = Values> {
  /** Of the list; a record's page is below it. */
  readonly path: string;
  readonly idName: keyof R & string;
  readonly writeScope: Scope;
  readonly texts: () => KindTexts;
  /** Stands above the heading of the list. */
  readonly group?: () => string;
  readonly empty: V;
  readonly fields: () => readonly FieldOf<V>[];
  readonly valuesOf: (record: R) => V;
  /** Columns of the list between name and id. */
  readonly columns: () => readonly Column<R>[];
  /** What the page of a record tells besides. */
  readonly facts?: (record: R) => readonly (readonly [name: string, value: ComponentChildren])[];
  /** Stands beside the id. */
  readonly link?: (record: R) => ComponentChildren;
  /** Leads to what keeps a record from being deleted. */
  readonly InTheWay?: (props: { refusal: Refusal }) => ComponentChildren;

  readonly list: (fibre: FibreClient, query: { _page_size: number }, options: CallOptions) => Listing<R>;
  readonly read: (fibre: FibreClient, id: string, options?: CallOptions) => Call<R>;
  /** @param id that the record has to have, where a person may choose it */
  readonly create: (fibre: FibreClient, values: V, id?: string) => PromiseLike<R>;
  readonly update: (fibre: FibreClient, id: string, values: V, ifMatch: string) => PromiseLike<R>;
  readonly remove: (fibre: FibreClient, id: string, ifMatch: string) => PromiseLike<void>;
}

export const idOf = <R extends NamedRecord>({ idName }: { idName: keyof R }, record: R): string => record[idName] as string;

/** The values that are not empty, as a request has them. */
export const given = <V extends Values>(values: V): Partial<V> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<V>;
