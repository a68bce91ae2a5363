import type { NewAccessNode } from '@fibre/client';
import { useEffect } from 'preact/hooks';
import { useApp } from '../../session/context.js';
import { announce } from '../../ui/announcements.js';
import { Form, useForm } from '../../ui/form/form.js';
import { RecordChoice } from '../../ui/form/record-choice.js';
import { textOf } from './access-node.js';
import { useCoverage } from './coverage-state.js';
import { texts } from './coverage-texts.js';
import { changesOf, NodeFields, REQUIRED, valuesOf } from './node-fields.js';

/** Creates a node where the map is clicked, or at a typed center. */
export function NewNodePanel() {
  const t = texts();
  const { shown, relations, clicked, change, onChanged } = useCoverage();
  const { fibre } = useApp();
  const form = useForm({
    initial: { ...valuesOf({ token: 'planned', status: 'active' }), relation_id: shown.relation_id ?? '' },
    required: [...REQUIRED, 'relation_id'],
    save: async ({ relation_id, ...values }) => {
      const node = { relation_id, ...changesOf(values) } as NewAccessNode;
      const { node_id } = await fibre.coverage.nodes.create(node, { target: shown.target });
      announce(t.wasCreated);
      onChanged();
      change({ node: node_id });
    },
  });
  useEffect(() => {
    if (clicked) form.set('center', textOf(clicked));
  }, [clicked]);
  return (
    <>
      <p class="fine">{t.newNodeHint}</p>
      <Form form={form} submitLabel={t.createIn(shown.target)} scope="coverage:write">
        <RecordChoice {...form.field('relation_id')} label={t.relation} records={relations} />
        <NodeFields form={form} />
      </Form>
    </>
  );
}
