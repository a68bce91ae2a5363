import { Lacks } from '../../../ui/lacks.js';
import type { Shown } from '../access-node.js';
import type { Relations } from '../relation-choice.js';
import { ExportForm } from './export-form.js';
import { ImportForm } from './import-form.js';

/** Import and export of nodes. */
export function FilesPanel(props: {
  shown: Shown;
  relations: Relations;
  file: File | undefined;
  onFile: (file: File | undefined) => void;
  onImported: () => void;
}) {
  const { shown, file } = props;
  return (
    <>
      <Lacks scope="coverage:write" />
      <ImportForm
        target={shown.target}
        relation_id={shown.relation_id}
        relations={props.relations}
        file={file}
        onFile={props.onFile}
        onImported={props.onImported}
      />
      <ExportForm shown={shown} />
    </>
  );
}
