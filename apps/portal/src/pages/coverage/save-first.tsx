import { type AccessNode, type Collection, type FibreClient, NODE_FIELDS } from '@fibre/client';
import { defineTexts } from '../../texts.js';
import { tableOf } from '../../ui/csv.js';
import { CheckField } from '../../ui/form/field.js';
import { saveFile } from '../../ui/transfer.js';

const texts = defineTexts({ saveFirst: ['Save the present state first', 'Zuerst den jetzigen Stand speichern'] });

/** The name of a file with what is there before something changes, at the local time. @param relation its name, if all nodes are of one */
export function saveAs(target: Collection, relation: string | undefined): string {
  const now = new Date();
  const time = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replaceAll(':', '-');
  const name = relation?.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  return ['access', target, name, 'before', time].filter(Boolean).join('-') + '.csv';
}

/** Saves a relation's nodes as a file that an import can restore them from. Throws, so that nothing is changed, if that fails. */
export async function saveNodes(
  { coverage }: FibreClient,
  filters: { readonly relation_id: string; readonly target: Collection },
  relation: string,
  signal?: AbortSignal,
): Promise<void> {
  const stream = await coverage.nodes.export({ ...filters, format: 'csv' }, { signal });
  await saveFile(saveAs(filters.target, relation), stream);
}

/** Saves these nodes as such a file, with every value as it is. */
export const saveTheseNodes = (file: string, nodes: readonly AccessNode[]): Promise<void> =>
  saveFile(file, tableOf([NODE_FIELDS, ...nodes.map((node) => NODE_FIELDS.map((field) => String(node[field] ?? '')))]));

export const SaveFirst = (props: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <CheckField label={texts().saveFirst} {...props} />
);
