import { type AccessNode, NODE_FIELDS } from '@fibre/client';
import { useEffect, useRef } from 'preact/hooks';
import { Refusal } from '../../api/refusal.js';
import type { Version } from '../../api/version.js';
import { announce } from '../../ui/announcements.js';
import { useApp, useScope } from '../../session/context.js';
import { page } from '../../configuration.js';
import { formatTime } from '../../texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { DeleteButton } from '../../ui/delete-button.js';
import { Facts } from '../../ui/facts.js';
import { Failure } from '../../ui/failure.js';
import { Form } from '../../ui/form/form.js';
import { useForm } from '../../ui/form/use-form.js';
import { Lacks } from '../../ui/lacks.js';
import { Loading } from '../../ui/table.js';
import type { Loaded } from '../../hooks/use-load.js';
import { fieldName, texts } from './coverage-texts.js';
import { changesOf, NO_NODE, NodeFields, type NodeValues, valuesOf } from './node-fields.js';
import type { Relations } from './relation-choice.js';

/** Fields that the form or the relation's link shows. */
const SHOWN_ELSEWHERE: readonly string[] = ['relation_id', ...Object.keys(NO_NODE).filter((name) => name !== 'center')];

/** One access node. */
export function NodePanel(props: {
  loaded: Loaded<Version<AccessNode> | undefined>;
  relations: Relations;
  onChanged: () => void;
  onClose: () => void;
}) {
  const t = texts();
  const { loaded } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="node-panel" aria-label={t.node}>
      <div class="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {t.node}
        </h2>
        <button type="button" class="small" onClick={props.onClose}>
          {t.close}
        </button>
      </div>
      {loaded.data && <LoadedNode key={loaded.data.etag} {...props} version={loaded.data} />}
      {!loaded.data && loaded.isLoading && <Loading />}
      {!loaded.data && loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
    </section>
  );
}

function LoadedNode(props: {
  version: Version<AccessNode>;
  relations: Relations;
  loaded: Loaded<unknown>;
  onChanged: () => void;
  onClose: () => void;
}) {
  const t = texts();
  const { record: node } = props.version;
  const relation = props.relations.known.find(({ relation_id }) => relation_id === node.relation_id);
  const facts = [
    [t.collection, t[node.collection]],
    [t.relationOf, relation ? <a href={page(`relations/${node.relation_id}`)}>{relation.name}</a> : <code>{node.relation_id}</code>],
    ...NODE_FIELDS.filter((name) => !SHOWN_ELSEWHERE.includes(name)).map((name) => [fieldName(name), node[name]] as const),
    [t.created, formatTime(node.created_at)],
    [t.modified, formatTime(node.modified_at)],
  ] as const;
  return (
    <>
      <div class="to-copy">
        <code>{node.node_id}</code>
        <CopyButton what="node_id" value={node.node_id} />
      </div>
      <Facts facts={facts} />
      <EditNode {...props} />
      <DeleteNode {...props} />
    </>
  );
}

function EditNode({ version, loaded, onChanged }: { version: Version<AccessNode>; loaded: Loaded<unknown>; onChanged: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const mayWrite = useScope('coverage:write');
  const form = useForm<NodeValues>({
    initial: valuesOf(version.record),
    required: ['center'],
    save: async (values) => {
      await fibre.coverage.nodes.update(version.record.node_id, changesOf(values), { ifMatch: version.etag });
      form.isSaved(values);
      announce(t.wasSaved);
      onChanged();
    },
  });
  return (
    <>
      <Lacks scope="coverage:write" />
      <Form form={form} submitLabel={t.save} isOff={!mayWrite} explain={(refusal) => <Changed error={refusal} reload={loaded.reload} />}>
        <NodeFields form={form} />
      </Form>
    </>
  );
}

/** The meaning of a rejected change. */
function Changed({ error, reload }: { error: unknown; reload: () => void }) {
  const t = texts();
  if (!(error instanceof Refusal) || error.status !== 412) return <Failure error={error} takesFocus />;
  return (
    <Failure error={error} title={t.nodeChanged} detail={t.nodeChangedWhy} takesFocus>
      <button type="button" onClick={reload}>
        {t.showSaved}
      </button>
    </Failure>
  );
}

function DeleteNode(props: { version: Version<AccessNode>; loaded: Loaded<unknown>; onChanged: () => void; onClose: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const mayWrite = useScope('coverage:write');
  const remove = async (): Promise<void> => {
    await fibre.coverage.nodes.delete(props.version.record.node_id, { ifMatch: props.version.etag });
    announce(t.wasDeleted);
    props.onClose();
    props.onChanged();
  };
  return (
    <DeleteButton
      label={t.removeNode}
      title={t.removeNode}
      warning={`${props.version.record.center}. ${t.removeNodeWarning}`}
      isOff={!mayWrite}
      remove={remove}
      explain={(error, close) => <Changed error={error} reload={() => (close(), props.loaded.reload())} />}
    />
  );
}
