import type { Collection, FibreClient } from '@fibre/client';
import { defineTexts } from '../../texts.js';
import { CheckField } from '../../ui/form/field.js';
import { saveFile } from '../../ui/transfer.js';

const texts = defineTexts({ saveFirst: ['Save the present state first', 'Zuerst den jetzigen Stand speichern'] });

/** Saves a relation's nodes as a file that an import can restore them from. Throws, so that nothing is changed, if that fails. */
export async function saveNodes(
  { coverage }: FibreClient,
  filters: { readonly relation_id: string; readonly target: Collection },
  signal: AbortSignal,
): Promise<void> {
  const stream = await coverage.nodes.export({ ...filters, format: 'csv' }, { signal });
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  await saveFile(`access-${filters.target}-before-${time}.csv`, stream);
}

export const SaveFirst = (props: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <CheckField label={texts().saveFirst} {...props} />
);
