import type { Collection, NewAccessNode } from '@fibre/client';
import { useEffect, useState } from 'preact/hooks';
import { useApp, useScope } from '../../session/context.js';
import { announce } from '../../ui/announcements.js';
import { Form } from '../../ui/form/form.js';
import { useForm } from '../../ui/form/use-form.js';
import { Lacks } from '../../ui/lacks.js';
import { type Place, textOf } from './access-node.js';
import { texts } from './coverage-texts.js';
import { changesOf, NO_NODE, NodeFields } from './node-fields.js';
import { RelationChoice, type Relations } from './relation-choice.js';

/** Creates a node where the map is clicked, or at a center that is typed. */
export function NewNodePanel(props: {
  target: Collection;
  relation_id: string | undefined;
  relations: Relations;
  clicked: Place | undefined;
  onCreated: (node_id: string) => void;
}) {
  const t = texts();
  const { target, clicked } = props;
  const { fibre } = useApp();
  const mayWrite = useScope('coverage:write');
  const [relation_id, setRelation] = useState(props.relation_id);
  const form = useForm({
    initial: { ...NO_NODE, relation_id: relation_id ?? '' },
    required: ['center', 'relation_id'],
    save: async ({ relation_id, ...values }) => {
      const node = { relation_id, ...changesOf(values) } as NewAccessNode;
      const { node_id } = await fibre.coverage.nodes.create(node, { target });
      form.isSaved(form.values);
      announce(t.wasCreated);
      props.onCreated(node_id);
    },
  });
  useEffect(() => {
    if (clicked) form.set('center', textOf(clicked));
  }, [clicked]);
  return (
    <>
      <Lacks scope="coverage:write" />
      <p class="fine">{t.newNodeHint}</p>
      <Form form={form} submitLabel={t.createIn(t[target])} isOff={!mayWrite}>
        <RelationChoice
          relations={props.relations}
          value={relation_id}
          error={form.errorOf('relation_id')}
          noneLabel={t.choose}
          onChange={(chosen) => {
            setRelation(chosen);
            form.set('relation_id', chosen ?? '');
          }}
        />
        <NodeFields form={form} />
      </Form>
    </>
  );
}
