import { FILE_FORMATS } from '@fibre/client';
import { useApp } from '../../../session/context.js';
import { ExportButtons } from '../../../ui/export-buttons.js';
import { Lacks } from '../../../ui/lacks.js';
import { Section } from '../../../ui/section.js';
import { useCoverage } from '../coverage-state.js';
import { texts } from './files-texts.js';
import { ImportForm } from './import-form.js';
import './files.css';

/** Import of nodes, and export of those on the map. */
export function FilesPanel({ onImported }: { onImported: () => void }) {
  const t = texts();
  const { coverage } = useApp().fibre;
  const { shown } = useCoverage();
  const files = FILE_FORMATS.map((format) => ({
    label: t[format],
    name: `access-${shown.target}.${format}`,
    // Texts from the address, which the service validates.
    read: (options: object) => coverage.nodes.export({ ...shown, format } as object, options),
  }));
  return (
    <>
      <Lacks scope="coverage:write" />
      <ImportForm onImported={onImported} />
      <Section title={t.export} why={t.exportHint(t[shown.target])}>
        <ExportButtons files={files} />
      </Section>
    </>
  );
}
