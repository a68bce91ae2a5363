import type { Collection, FibreClient } from '@fibre/client';
import { defineTexts } from '../../texts.js';
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
  saveFile(`access-${filters.target}-before-${time}.csv`, await new Response(stream).blob());
}

export function SaveFirst({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {texts().saveFirst}
    </label>
  );
}
