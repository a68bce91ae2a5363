import type { Collection } from '@fibre/client';

/** What the columns of a file contain, and the stages that its words mean; an empty text leaves out the column or keeps the word. */
export interface Mapping {
  readonly fields: Readonly<Record<string, string>>;
  readonly stages: Readonly<Record<string, string>>;
}
export const NO_MAPPING: Mapping = { fields: {}, stages: {} };

/** How files of a relation were imported last. */
interface LastImport extends Mapping {
  /** Whether the file was the whole truth about the relation. */
  readonly isWhole?: boolean;
  readonly target?: Collection;
}

const keyOf = (relation_id: string): string => `import ${relation_id}`;

/** The last import into a relation in this browser. */
export function rememberedMapping(relation_id: string): LastImport {
  try {
    return { ...NO_MAPPING, ...(JSON.parse(localStorage.getItem(keyOf(relation_id)) ?? '{}') as Partial<LastImport>) };
  } catch {
    return NO_MAPPING;
  }
}

export const rememberMapping = (relation_id: string, mapping: LastImport): void =>
  localStorage.setItem(keyOf(relation_id), JSON.stringify(mapping));
