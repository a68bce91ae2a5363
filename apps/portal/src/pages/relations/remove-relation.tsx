import { type Collection, COLLECTIONS, type FibreClient, type Relation } from '@fibre/client';
import { useState } from 'preact/hooks';
import { useLeave } from '../../hooks/leaving.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp } from '../../session/context.js';
import { defineTexts, formatCount } from '../../texts.js';
import { announce } from '../../ui/announcements.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { WhenLoaded } from '../../ui/failure.js';
import { TextField } from '../../ui/form/field.js';
import { Form, useForm } from '../../ui/form/form.js';
import { Facts } from '../../ui/page.js';
import { type RelationNodes, relationNodes } from '../coverage/access-node.js';
import { texts as coverageTexts } from '../coverage/coverage-texts.js';
import { saveNodes, SaveFirst } from '../coverage/save-first.js';

const texts = defineTexts({
  remove: ['Delete the relation', 'Relation löschen'],
  title: [(name: string) => `Delete ${name}?`, (name) => `${name} löschen?`],
  removeAll: ['Delete the relation and its access nodes', 'Relation mit ihren Zugangsknoten löschen'],
  keep: ['Keep it', 'Behalten'],
  nodesIn: [
    (target: Collection) => (target === 'nodes' ? 'Access nodes in production' : 'Access nodes in pre-production'),
    (target) => (target === 'nodes' ? 'Veröffentlichte Zugangsknoten' : 'Zugangsknoten im Entwurf'),
  ],
  inOrder: [
    'First the access nodes go, then the relation. If that stops halfway, try again.',
    'Zuerst werden die Zugangsknoten gelöscht, dann die Relation. Bricht das ab, versuchen Sie es noch einmal.',
  ],
  idWarning: ['No import can name its relation_id any more.', 'Danach kann kein Import mehr ihre relation_id nennen.'],
  wasRemoved: [(name: string) => `${name} was deleted`, (name) => `${name} wurde gelöscht`],
});

/** Deletes a relation, with its nodes in both collections if it has any. */
export function RemoveRelation({ record, etag, reload }: { record: Relation; etag: string; reload: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const [isAsking, setAsking] = useState(false);
  return (
    <div class="actions">
      <Button label={t.remove} look="danger" scope="coverage:write" onClick={() => setAsking(true)} />
      {isAsking && (
        <Dialog title={t.title(record.name)} onClose={() => setAsking(false)}>
          <Question record={record} etag={etag} fibre={fibre} onClose={() => setAsking(false)} onOutdated={reload} />
        </Dialog>
      )}
    </div>
  );
}

interface Asked {
  readonly record: Relation;
  readonly etag: string;
  readonly fibre: FibreClient;
  readonly onClose: () => void;
  /** Shows what somebody else has changed. */
  readonly onOutdated: () => void;
}

/** Says what would go, as counted when it is asked. */
function Question(props: Asked) {
  const { record, fibre } = props;
  const loaded = useLoad((signal) => relationNodes(fibre, record.relation_id, signal), record.relation_id);
  return <WhenLoaded loaded={loaded}>{(nodes) => <Confirm {...props} nodes={nodes} />}</WhenLoaded>;
}

function Confirm(props: Asked & { nodes: RelationNodes }) {
  const t = { ...coverageTexts(), ...texts() };
  const { record, fibre, nodes } = props;
  const { relation_id, name } = record;
  const leave = useLeave();
  const [isSaved, setSaved] = useState(true);
  const filled = COLLECTIONS.filter((target) => nodes[target].count > 0);
  const form = useForm({
    initial: { name: '' },
    required: [],
    isLasting: false,
    save: async () => {
      if (isSaved) for (const target of filled) await saveNodes(fibre, { relation_id, target }, name);
      // Also of a collection that is empty now, since a node may have come since.
      for (const target of COLLECTIONS) if (filled.length > 0) await fibre.coverage.nodes.deleteByRelation(relation_id, { target });
      await fibre.coverage.relations.delete(relation_id, { ifMatch: props.etag });
      announce(t.wasRemoved(name));
      await leave('relations');
    },
  });
  const hasNodes = filled.length > 0;
  return (
    <>
      {hasNodes && <Facts facts={filled.map((target) => [t.nodesIn(target), formatCount(nodes[target])])} />}
      <p>
        {hasNodes && t.inOrder} {t.idWarning} {t.notUndone}
      </p>
      <Form
        form={form}
        submitLabel={hasNodes ? t.removeAll : t.remove}
        isOff={hasNodes && form.values.name.trim() !== name}
        isDanger
        onOutdated={props.onOutdated}
        actions={<Button label={t.keep} onClick={props.onClose} />}
      >
        {hasNodes && (
          <>
            <TextField {...form.field('name')} isRequired label={t.deleteConfirm(name)} />
            <SaveFirst isOn={isSaved} onChange={setSaved} />
          </>
        )}
      </Form>
    </>
  );
}
