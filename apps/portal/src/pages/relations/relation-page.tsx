import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Refusal } from '../../api/refusal.js';
import { announce } from '../../ui/announcements.js';
import { useApp, useScope } from '../../session/context.js';
import { page } from '../../configuration.js';
import { formatNumber, formatTime } from '../../texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { Form, useForm } from '../../ui/form.js';
import { Lacks } from '../../ui/lacks.js';
import { Page } from '../../ui/page.js';
import { Loading } from '../../ui/table.js';
import { useAction } from '../../hooks/use-action.js';
import { useLeave } from '../../hooks/use-leave.js';
import { useLoad } from '../../hooks/use-load.js';
import { createRelation, deleteRelation, readRelation, REQUIRED, updateRelation, valuesOf, type Version } from './relation.js';
import { explainNameTaken, RelationFields } from './relation-form.js';
import { texts } from './relation-texts.js';

export function RelationPage() {
  const t = texts();
  const { fibre } = useApp();
  const { relation_id = '' } = useRoute().params;
  const loaded = useLoad((signal) => readRelation(fibre, relation_id, signal), relation_id);
  return (
    <Page
      title={loaded.data?.relation.name ?? t.relations}
      above={
        <>
          {t.organisation} › <a href={page('relations')}>{t.relations}</a>
        </>
      }
    >
      {loaded.data && <LoadedRelation key={relation_id} version={loaded.data} reload={loaded.reload} />}
      {!loaded.data && loaded.isLoading && <Loading />}
      {!loaded.data && loaded.error !== undefined && (
        <Failure error={loaded.error} onRetry={loaded.reload}>
          <a href={page('relations')}>{t.toList}</a>
        </Failure>
      )}
    </Page>
  );
}

function LoadedRelation({ version, reload }: { version: Version; reload: () => void }) {
  const t = texts();
  const { relation } = version;
  return (
    <>
      <section class="section">
        <div>
          <h2>{t.id}</h2>
          <p class="fine">{t.use}</p>
        </div>
        <div class="to-copy">
          <code class="id-large">{relation.relation_id}</code>
          <CopyButton what={t.id} value={relation.relation_id} />
        </div>
        <dl class="facts">
          {(
            [
              [t.prenodes, formatNumber(relation.prenodes)],
              [t.nodes, formatNumber(relation.nodes)],
              [t.created, formatTime(relation.created_at)],
              [t.modified, formatTime(relation.modified_at)],
            ] as const
          ).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <EditRelation version={version} reload={reload} />
      <DeleteRelation version={version} reload={reload} />
    </>
  );
}

function EditRelation({ version, reload }: { version: Version; reload: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const leave = useLeave();
  const mayWrite = useScope('coverage:write');
  // What was saved when these fields were last compared with it.
  const [base, setBase] = useState(version);
  const [isCompared, setCompared] = useState(false);
  const { relation_id } = base.relation;
  const read = async (): Promise<Version> => {
    const saved = await readRelation(fibre, relation_id);
    setBase(saved);
    form.isSaved(valuesOf(saved.relation));
    reload();
    return saved;
  };
  const form = useForm({
    initial: valuesOf(version.relation),
    required: REQUIRED,
    save: async (values) => {
      await updateRelation(fibre, base, values);
      setCompared(false);
      await read();
      announce(t.wasSaved);
    },
  });
  const showSaved = () => form.run(async () => void (await read(), setCompared(true)));
  const createAnew = () =>
    form.run(async () => {
      const created = await createRelation(fibre, form.values);
      form.isSaved(form.values);
      announce(t.wasCreated(created.name));
      await leave(`relations/${created.relation_id}`);
    });
  const explain = (refusal: Refusal) => {
    if (refusal.status === 412) {
      return (
        <Failure error={refusal} title={t.changed} detail={t.changedWhy} takesFocus>
          <button type="button" onClick={() => void showSaved()}>
            {t.showSaved}
          </button>
        </Failure>
      );
    }
    if (refusal.status === 404) {
      return (
        <Failure error={refusal} title={t.gone} detail={t.goneWhy} takesFocus>
          <button type="button" onClick={() => void createAnew()}>
            {t.createAnew}
          </button>
          <a href={page('relations')}>{t.toList}</a>
        </Failure>
      );
    }
    return explainNameTaken(refusal);
  };
  return (
    <section class="section">
      <h2>{t.edit}</h2>
      <Lacks scope="coverage:write" />
      <Form form={form} submitLabel={t.save} isOff={!mayWrite} explain={explain}>
        <RelationFields form={form} saved={isCompared ? valuesOf(base.relation) : undefined} />
      </Form>
    </section>
  );
}

function DeleteRelation({ version, reload }: { version: Version; reload: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const leave = useLeave();
  const mayWrite = useScope('coverage:write');
  const [isAsking, setAsking] = useState(false);
  const deletion = useAction();
  const { name } = version.relation;
  const remove = () =>
    deletion.run(async () => {
      await deleteRelation(fibre, version);
      announce(t.wasDeleted(name));
      await leave('relations');
    });
  const close = () => {
    deletion.forget();
    setAsking(false);
  };
  const { error } = deletion;
  const isChanged = error instanceof Refusal && error.status === 412;
  return (
    <>
      <div class="actions">
        <button type="button" class="danger" disabled={!mayWrite} onClick={() => setAsking(true)}>
          {t.remove}
        </button>
      </div>
      {isAsking && (
        <Dialog title={t.removeTitle(name)} onClose={close}>
          <p>{t.removeWarning}</p>
          {error !== undefined && (
            <Failure error={error} {...wordsOf(error)}>
              {isChanged && (
                <button type="button" onClick={() => (close(), reload())}>
                  {t.showSaved}
                </button>
              )}
            </Failure>
          )}
          <div class="actions">
            <button type="button" class="danger" aria-disabled={deletion.isBusy} onClick={() => void remove()}>
              {t.removeConfirm}
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

/** What a refused deletion means. */
function wordsOf(error: unknown): { title?: string; detail?: string } {
  const t = texts();
  if (!(error instanceof Refusal)) return {};
  if (error.code === 'relation-in-use') return { title: t.inUse, detail: t.inUseWhy };
  if (error.status === 412) return { title: t.changed };
  if (error.status === 404) return { title: t.gone };
  return {};
}
