import type { Collection } from '@fibre/client';
import { useState } from 'preact/hooks';
import { Button } from '../../../ui/button.js';
import { TextField } from '../../../ui/form/field.js';
import { nodesInWords, texts as coverageTexts } from '../coverage-texts.js';
import { SaveFirst } from '../save-first.js';
import { type Imported, presentNodes } from './files.js';
import { texts } from './files-texts.js';

/** Imports a file and deletes the nodes that are not in it, once the person has seen which and, if they are many, typed the relation's name. */
export function DoWhole(props: {
  result: Imported;
  relation: string;
  target: Collection;
  isSaved: boolean;
  onSaved: (isSaved: boolean) => void;
  onSend: () => void;
}) {
  const t = texts();
  const [typed, type] = useState('');
  const { deleted, isGuarded } = props.result;
  return (
    <>
      {presentNodes(props.result) > 0 && <SaveFirst isOn={props.isSaved} onChange={props.onSaved} />}
      {isGuarded && (
        <TextField name="whole-relation" isRequired label={coverageTexts().deleteConfirm(props.relation)} value={typed} onChange={type} />
      )}
      <div class="actions">
        <Button
          label={deleted > 0 ? t.importAndDelete(nodesInWords(deleted)) : t.doImport(props.target)}
          look={deleted > 0 ? 'danger' : 'primary'}
          isOff={isGuarded && typed.trim() !== props.relation}
          onClick={props.onSend}
        />
      </div>
    </>
  );
}
