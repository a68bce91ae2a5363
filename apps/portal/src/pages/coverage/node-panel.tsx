import { type AccessNode, NODE_FIELDS } from '@fibre/client';
import { useEffect, useRef } from 'preact/hooks';
import type { Version } from '../../refusal.js';
import { announce } from '../../ui/announcements.js';
import { useApp } from '../../session/context.js';
import { page } from '../../configuration.js';
import { CopyButton } from '../../ui/copy-button.js';
import { DeleteButton } from '../../ui/dialog.js';
import { Facts } from '../../ui/page.js';
import { WhenLoaded } from '../../ui/when-loaded.js';
import { Form, useForm } from '../../ui/form/form.js';
import type { Loaded } from '../../hooks/use-load.js';
import { useCoverage } from './coverage-state.js';
import { nameOf, texts } from './coverage-texts.js';
import { changesOf, FIELDS, NodeFields, type NodeValues, REQUIRED, valuesOf } from './node-fields.js';
import { Button } from '../../ui/button.js';
import { When } from '../../ui/when.js';

/** Fields that the form or the link to the relation already shows. */
const SHOWN_ELSEWHERE: readonly string[] = ['relation_id', ...FIELDS.filter((name) => name !== 'center' && name !== 'address')];

/** One access node. */
export function NodePanel({ loaded, onClose }: { loaded: Loaded<Version<AccessNode> | undefined>; onClose: () => void }) {
  const t = texts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="coverage-panel" aria-label={t.accessNode}>
      <div class="page-head">
        <h2 ref={heading} tabIndex={-1}>
          {t.accessNode}
        </h2>
        <Button label={t.close} look="small" onClick={onClose} />
      </div>
      <WhenLoaded loaded={loaded}>
        {(version) => (
          <>
            <NodeFacts node={version.record} />
            <EditNode key={version.etag} version={version} reload={loaded.reload} />
          </>
        )}
      </WhenLoaded>
    </section>
  );
}

function NodeFacts({ node }: { node: AccessNode }) {
  const t = texts();
  const relation = useCoverage().relations.nameOf.get(node.relation_id);
  const facts = [
    [t.collection, t[node.collection]],
    [t.relation, relation ? <a href={page(`relations/${node.relation_id}`)}>{relation}</a> : <code>{node.relation_id}</code>],
    ...NODE_FIELDS.filter((name) => !SHOWN_ELSEWHERE.includes(name)).map((name) => [nameOf(name), node[name]] as const),
    [t.created, <When at={node.created_at} by={node.created_by} />],
    [t.modified, <When at={node.modified_at} by={node.modified_by} />],
  ] as const;
  return (
    <>
      <div class="to-copy">
        <code>{node.node_id}</code>
        <CopyButton what="node_id" value={node.node_id} />
      </div>
      <Facts facts={facts} />
    </>
  );
}

function EditNode({ version, reload }: { version: Version<AccessNode>; reload: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const { change, onChanged } = useCoverage();
  const { node_id, address, center } = version.record;
  const form = useForm<NodeValues>({
    initial: valuesOf(version.record),
    required: REQUIRED,
    save: async (values) => {
      await fibre.coverage.nodes.update(node_id, changesOf(values), { ifMatch: version.etag });
      announce(t.wasSaved);
      onChanged();
    },
  });
  const remove = async (): Promise<void> => {
    await fibre.coverage.nodes.delete(node_id, { ifMatch: version.etag });
    announce(t.wasDeleted);
    change({ node: undefined });
    onChanged();
  };
  return (
    <>
      <Form form={form} submitLabel={t.save} scope="coverage:write" onOutdated={reload}>
        <NodeFields form={form} />
      </Form>
      <DeleteButton
        label={t.removeNode}
        title={t.removeNode}
        warning={`${address ?? center}.`}
        scope="coverage:write"
        remove={remove}
        onOutdated={reload}
      />
    </>
  );
}
