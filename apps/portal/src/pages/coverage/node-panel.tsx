import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../../api/refusal.js';
import { announce } from '../../ui/announcements.js';
import { useApp, useScope } from '../../session/context.js';
import { page } from '../../configuration.js';
import { formatTime } from '../../texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { Form, useForm } from '../../ui/form.js';
import { Lacks } from '../../ui/lacks.js';
import { SelectField } from '../../ui/select-field.js';
import { Loading } from '../../ui/table.js';
import { useAction } from '../../hooks/use-action.js';
import type { Loaded } from '../../hooks/use-load.js';
import { deleteNode, type NodeVersion, STATUSES, TOKENS, updateNode } from './access-node.js';
import { statusName, texts, tokenName } from './coverage-texts.js';
import type { Relations } from './relation-choice.js';

/** One access node. */
export function NodePanel(props: {
  loaded: Loaded<NodeVersion | undefined>;
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
  version: NodeVersion;
  relations: Relations;
  loaded: Loaded<unknown>;
  onChanged: () => void;
  onClose: () => void;
}) {
  const t = texts();
  const { node } = props.version;
  const relation = props.relations.known.find(({ relation_id }) => relation_id === node.relation_id);
  const facts = [
    [t.collection, t[node.collection]],
    [t.center, node.center],
    [t.technology, node.technology],
    [t.relationOf, relation ? <a href={page(`relations/${node.relation_id}`)}>{relation.name}</a> : <code>{node.relation_id}</code>],
    [t.reference, node.customer_reference],
    [t.country, node.country],
    [t.address, node.address_id],
    [t.lot, node.lot_id],
    [t.created, formatTime(node.created_at)],
    [t.modified, formatTime(node.modified_at)],
  ] as const;
  return (
    <>
      <div class="to-copy">
        <code>{node.node_id}</code>
        <CopyButton what="node_id" value={node.node_id} />
      </div>
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <EditNode {...props} />
      <DeleteNode {...props} />
    </>
  );
}

function EditNode({ version, loaded, onChanged }: { version: NodeVersion; loaded: Loaded<unknown>; onChanged: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const mayWrite = useScope('coverage:write');
  const { token, status } = version.node;
  const form = useForm({
    initial: { token: token, status: status },
    required: [],
    save: async (values) => {
      await updateNode(fibre, version, values);
      form.isSaved(values);
      announce(t.wasSaved);
      onChanged();
    },
  });
  return (
    <>
      <Lacks scope="coverage:write" />
      <Form form={form} submitLabel={t.save} isOff={!mayWrite} explain={(refusal) => <Changed refusal={refusal} reload={loaded.reload} />}>
        <div class="coverage-pair">
          <SelectField
            name="token"
            label={t.token}
            value={form.values.token}
            options={TOKENS.map((value) => ({ value, label: tokenName(value) }))}
            onChange={(value) => form.set('token', value)}
            error={form.errorOf('token')}
          />
          <SelectField
            name="status"
            label={t.status}
            value={form.values.status}
            options={STATUSES.map((value) => ({ value, label: statusName(value) }))}
            onChange={(value) => form.set('status', value)}
            error={form.errorOf('status')}
          />
        </div>
      </Form>
    </>
  );
}

/** What a refused change means. */
function Changed({ refusal, reload }: { refusal: Refusal; reload: () => void }) {
  const t = texts();
  if (refusal.status !== 412) return <Failure error={refusal} takesFocus />;
  return (
    <Failure error={refusal} title={t.nodeChanged} detail={t.nodeChangedWhy} takesFocus>
      <button type="button" onClick={reload}>
        {t.showSaved}
      </button>
    </Failure>
  );
}

function DeleteNode(props: { version: NodeVersion; loaded: Loaded<unknown>; onChanged: () => void; onClose: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const mayWrite = useScope('coverage:write');
  const [isAsking, setAsking] = useState(false);
  const deletion = useAction();
  const close = (): void => {
    deletion.forget();
    setAsking(false);
  };
  const remove = () =>
    deletion.run(async () => {
      await deleteNode(fibre, props.version);
      announce(t.wasDeleted);
      props.onClose();
      props.onChanged();
    });
  const { error } = deletion;
  return (
    <>
      <button type="button" class="danger small" disabled={!mayWrite} onClick={() => setAsking(true)}>
        {t.removeNode}
      </button>
      {isAsking && (
        <Dialog title={t.removeNode} onClose={close}>
          <p>
            {props.version.node.center}. {t.removeNodeWarning}
          </p>
          {error instanceof Refusal && <Changed refusal={error} reload={() => (close(), props.loaded.reload())} />}
          <div class="actions">
            <button type="button" class="danger" aria-disabled={deletion.isBusy} onClick={() => void remove()}>
              {t.remove}
            </button>
            <button type="button" onClick={close}>
              {t.keep}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
