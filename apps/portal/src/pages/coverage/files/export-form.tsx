import { FILE_FORMATS } from '@fibre/client';
import { useApp } from '../../../session/context.js';
import { ExportButtons } from '../../../ui/export-buttons.js';
import type { Shown } from '../access-node.js';
import { texts as coverageTexts } from '../coverage-texts.js';
import { texts } from './files-texts.js';

/** The nodes of the map as a file. */
export function ExportForm({ shown }: { shown: Shown }) {
  const t = texts();
  const { coverage } = useApp().fibre;
  const files = FILE_FORMATS.map((format) => ({
    label: t[format],
    name: `access-${shown.target}.${format}`,
    // Texts of the address that the service judges.
    read: (options: object) => coverage.nodes.export({ ...shown, format } as object, options),
  }));
  return (
    <section class="section">
      <h2>{t.export}</h2>
      <p class="fine">{t.exportHint(coverageTexts()[shown.target])}</p>
      <ExportButtons files={files} />
    </section>
  );
}
