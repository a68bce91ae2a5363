import type { AccessNode } from '@fibre/client';
import { useState } from 'preact/hooks';
import { useApp, useScope } from '../../session/context.js';
import { defineTexts, formatNumber } from '../../texts.js';
import { announce } from '../../ui/announcements.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/form/field.js';
import { Form, useForm } from '../../ui/form/form.js';
import { Facts } from '../../ui/page.js';
import { useCoverage } from './coverage-state.js';
import { nodesInWords, texts as coverageTexts } from './coverage-texts.js';
import { saveAs, SaveFirst, saveTheseNodes } from './save-first.js';

/** With more nodes than this, the person types the name of their relation, as the service asks for `max_deleted` in an import. */
const MOST_UNNAMED = 10;
/** Number of nodes that the question names. */
const NAMED = 5;

const texts = defineTexts({
  remove: [(nodes: string) => `Delete ${nodes}`, (nodes) => `${nodes} löschen`],
  confirm: ['Delete', 'Löschen'],
  keep: ['Keep them', 'Behalten'],
  which: ['Nodes', 'Knoten'],
  more: [(names: string, count: string) => `${names} and ${count} more`, (names, count) => `${names} und ${count} weitere`],
  removed: [(count: string) => `Access nodes deleted: ${count}`, (count) => `Gelöschte Zugangsknoten: ${count}`],
});

/** Deletes these nodes, all or none, once the person has seen which. */
export function DeleteNodes({ nodes }: { nodes: readonly AccessNode[] }) {
  const label = texts().remove(nodesInWords(nodes.length));
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button label={label} look="danger" scope="coverage:write" onClick={() => setAsking(true)} />
      {isAsking && <Question title={`${label}?`} nodes={nodes} onClose={() => setAsking(false)} />}
    </>
  );
}

/** How many of the nodes each relation has, most first. */
function countsByRelation(nodes: readonly AccessNode[]): [relation_id: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { relation_id } of nodes) counts.set(relation_id, (counts.get(relation_id) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function Question({ title, nodes, onClose }: { title: string; nodes: readonly AccessNode[]; onClose: () => void }) {
  const t = { ...coverageTexts(), ...texts() };
  const { fibre } = useApp();
  const { shown, relations, onChanged } = useCoverage();
  const mayWrite = useScope('coverage:write');
  const [isSaved, setSaved] = useState(true);
  const counts = countsByRelation(nodes);
  const nameOf = (relation_id: string): string => relations.nameOf.get(relation_id) ?? relation_id;
  const [[largest] = ['']] = counts;
  const isNamed = nodes.length > MOST_UNNAMED;
  const form = useForm({
    initial: { name: '' },
    required: [],
    isLasting: false,
    save: async () => {
      if (isSaved) await saveTheseNodes(saveAs(shown.target, counts.length === 1 ? nameOf(largest) : undefined), nodes);
      const { deleted } = await fibre.coverage.nodes.deleteMany(nodes.map(({ node_id }) => node_id));
      announce(t.removed(formatNumber(deleted)));
      onChanged();
    },
  });
  const names = nodes
    .slice(0, NAMED)
    .map(({ customer_reference, address, node_id }) => customer_reference ?? address ?? node_id.slice(0, 8));
  const more = nodes.length - names.length;
  const facts = [
    [t.collection, t[shown.target]],
    [t.relation, counts.map(([relation_id, count]) => `${nameOf(relation_id)} (${formatNumber(count)})`).join(', ')],
    [t.which, more > 0 ? t.more(names.join(', '), formatNumber(more)) : names.join(', ')],
  ] as const;
  return (
    // Some of the nodes may be gone, so that the list has to be read again.
    <Dialog title={title} onClose={() => (form.error === undefined ? onClose() : onChanged())}>
      <Facts facts={facts} />
      <p>{t.notUndone}</p>
      <Form
        form={form}
        submitLabel={t.confirm}
        isOff={!mayWrite || (isNamed && form.values.name.trim() !== nameOf(largest))}
        isDanger
        actions={<Button label={t.keep} onClick={onClose} />}
      >
        {isNamed && <TextField {...form.field('name')} isRequired label={t.deleteConfirm(nameOf(largest))} />}
        <SaveFirst isOn={isSaved} onChange={setSaved} />
      </Form>
    </Dialog>
  );
}
