import { FILE_FORMATS } from '@fibre/client';
import { useState } from 'preact/hooks';
import { useScope } from '../../../session/context.js';
import { Button } from '../../../ui/button.js';
import { Lacks, Section } from '../../../ui/page.js';
import { ExportButtons, saveFile } from '../../../ui/transfer.js';
import { useCoverage } from '../coverage-state.js';
import { ChosenFile } from './chosen-file.js';
import { FileField } from './file-field.js';
import { texts } from './files-texts.js';
import type { Source } from './table/source.js';
import './files.css';

/** Imports nodes, and exports the nodes on the map. */
export function FilesPanel() {
  const t = texts();
  const { query, shown } = useCoverage();
  const mayWrite = useScope('coverage:write');
  const [source, choose] = useState<Source>();
  return (
    <>
      <Lacks scope="coverage:write" />
      <Section title={t.import}>
        <h3>{t.file}</h3>
        <FileField name="file" label={source ? t.another : t.chooseFile} hint={t.importHint} isOff={!mayWrite} onChoose={choose} />
        <div class="actions">
          <Button label={t.saveSample} look="small" onClick={() => void saveFile(`${t.sampleName}.csv`, new Blob(['\uFEFF', t.sample]))} />
        </div>
        {source && <ChosenFile source={source} />}
      </Section>
      <Section title={t.export} why={t.exportHint(shown.target)}>
        <ExportButtons name={`access-${shown.target}`} formats={FILE_FORMATS} read={query.file} />
      </Section>
    </>
  );
}
