import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
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
import { Page } from '../../ui/page.js';
import { Loading } from '../../ui/table.js';
import { useAction } from '../../hooks/use-action.js';
import { useLeave } from '../../hooks/use-leave.js';
import { useLoad } from '../../hooks/use-load.js';
import { deleteIsp, putIsp, readIsp, REQUIRED, valuesOf, type Version } from './isp.js';
import { explainNameTaken, IspFields } from './isp-form.js';
import { texts } from './isp-texts.js';

export function IspPage() {
  const t = texts();
  const { partner_id = '' } = useRoute().params;
  const mayRead = useScope('events:read');
  return mayRead ? (
    <ReadIsp key={partner_id} partner_id={partner_id} />
  ) : (
    <Page title={t.isps}>
      <Lacks scope="events:read" />
    </Page>
  );
}

function ReadIsp({ partner_id }: { partner_id: string }) {
  const t = texts();
  const { fibre } = useApp();
  const loaded = useLoad((signal) => readIsp(fibre, partner_id, signal), partner_id);
  return (
    <Page title={loaded.data?.isp.name ?? t.isps} above={<a href={page('isps')}>{t.isps}</a>}>
      {loaded.data && <LoadedIsp version={loaded.data} reload={loaded.reload} />}
      {!loaded.data && loaded.isLoading && <Loading />}
      {!loaded.data && loaded.error !== undefined && (
        <Failure error={loaded.error} onRetry={loaded.reload}>
          <a href={page('isps')}>{t.toList}</a>
        </Failure>
      )}
    </Page>
  );
}

function LoadedIsp({ version, reload }: { version: Version; reload: () => void }) {
  const t = texts();
  const { isp } = version;
  return (
    <>
      <section class="section">
        <div>
          <h2>{t.id}</h2>
          <p class="fine">{t.use}</p>
        </div>
        <div class="to-copy">
          <code class="id-large">{isp.partner_id}</code>
          <CopyButton what={t.id} value={isp.partner_id} />
          <a href={page(`entities?partner_id=${isp.partner_id}`)}>{t.entities}</a>
        </div>
        <dl class="facts">
          <div>
            <dt>{t.created}</dt>
            <dd>{formatTime(isp.created_at)}</dd>
          </div>
          <div>
            <dt>{t.modified}</dt>
            <dd>{formatTime(isp.modified_at)}</dd>
          </div>
        </dl>
      </section>
      <EditIsp version={version} reload={reload} />
      <DeleteIsp version={version} reload={reload} />
    </>
  );
}

function EditIsp({ version, reload }: { version: Version; reload: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const mayWrite = useScope('events:write');
  // What was saved when these fields were last compared with it.
  const [base, setBase] = useState(version);
  const [isCompared, setCompared] = useState(false);
  const { partner_id } = version.isp;
  const read = async (): Promise<void> => {
    const saved = await readIsp(fibre, partner_id);
    setBase(saved);
    form.isSaved(valuesOf(saved.isp));
    reload();
  };
  const form = useForm({
    initial: valuesOf(version.isp),
    required: REQUIRED,
    save: async (values) => {
      await putIsp(fibre, partner_id, values, base.etag);
      setCompared(false);
      await read();
      announce(t.wasSaved);
    },
  });
  const showSaved = () => form.run(async () => void (await read(), setCompared(true)));
  const createAnew = () =>
    form.run(async () => {
      const created = await putIsp(fibre, partner_id, form.values);
      setCompared(false);
      await read();
      announce(t.wasCreated(created.name));
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
          <a href={page('isps')}>{t.toList}</a>
        </Failure>
      );
    }
    return explainNameTaken(refusal);
  };
  return (
    <section class="section">
      <h2>{t.edit}</h2>
      <Lacks scope="events:write" />
      <Form form={form} submitLabel={t.save} isOff={!mayWrite} explain={explain}>
        <IspFields form={form} saved={isCompared ? valuesOf(base.isp) : undefined} />
      </Form>
    </section>
  );
}

function DeleteIsp({ version, reload }: { version: Version; reload: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const leave = useLeave();
  const mayWrite = useScope('events:write');
  const [isAsking, setAsking] = useState(false);
  const deletion = useAction();
  const { name } = version.isp;
  const remove = () =>
    deletion.run(async () => {
      await deleteIsp(fibre, version);
      announce(t.wasDeleted(name));
      await leave('isps');
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
              <NamingEvent error={error} />
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

/** Leads to the entity of the event that keeps the ISP from being deleted; the refusal names the event alone. */
function NamingEvent({ error }: { error: unknown }) {
  const { fibre } = useApp();
  const leave = useLeave();
  const search = useAction();
  if (!(error instanceof Refusal) || error.code !== 'isp-in-use') return null;
  const [event] = (error.problem as { conflicts_with?: { event_id: string }[] }).conflicts_with ?? [];
  if (!event) return null;
  const show = () =>
    search.run(async () => {
      const { entity_id } = await fibre.events.read(event.event_id);
      await leave(`entities/${entity_id}`);
    });
  return (
    <button type="button" onClick={() => void show()}>
      {texts().showTimeline}
    </button>
  );
}

/** What a refused deletion means. */
function wordsOf(error: unknown): { title?: string; detail?: string } {
  const t = texts();
  if (!(error instanceof Refusal)) return {};
  if (error.code === 'isp-in-use') return { title: t.inUse, detail: t.inUseWhy };
  if (error.status === 412) return { title: t.changed };
  if (error.status === 404) return { title: t.gone };
  return {};
}
