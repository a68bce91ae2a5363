import { useRoute } from 'preact-iso';
import { versionOf } from '../../api/version.js';
import { page } from '../../configuration.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp } from '../../session/context.js';
import { formatTime } from '../../texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Facts } from '../../ui/facts.js';
import { Failure } from '../../ui/failure.js';
import type { Values } from '../../ui/form/use-form.js';
import { Page } from '../../ui/page.js';
import { Loading } from '../../ui/table.js';
import { Above } from './above.js';
import { DeleteRecord } from './delete-record.js';
import { EditRecord } from './edit-record.js';
import { idOf, type NamedRecord, type RecordKind } from './record-kind.js';
import { texts } from './record-texts.js';

/** One record: its id, its content, and the forms that change and delete it. */
export function RecordPage<R extends NamedRecord, V extends Values>({ kind }: { kind: RecordKind<R, V> }) {
  const t = texts();
  const own = kind.texts();
  const { fibre } = useApp();
  const id = useRoute().params[kind.idName] ?? '';
  const { data, isLoading, error, reload } = useLoad((signal) => versionOf(kind.read(fibre, id, { signal })), id);
  return (
    <Page title={data?.record.name ?? own.title} above={<Above kind={kind} />}>
      {data && (
        <>
          <section class="section">
            <div>
              <h2>{kind.idName}</h2>
              <p class="fine">{own.use}</p>
            </div>
            <div class="to-copy">
              <code class="id-large">{idOf(kind, data.record)}</code>
              <CopyButton what={kind.idName} value={idOf(kind, data.record)} />
              {kind.link?.(data.record)}
            </div>
            <Facts
              facts={[
                ...(kind.facts?.(data.record) ?? []),
                [t.created, formatTime(data.record.created_at)],
                [t.modified, formatTime(data.record.modified_at)],
              ]}
            />
          </section>
          {kind.Next && <kind.Next record={data.record} />}
          <EditRecord key={id} kind={kind} version={data} reload={reload} />
          <section class="section danger-zone">
            <h2>{t.danger}</h2>
            <DeleteRecord kind={kind} version={data} reload={reload} />
          </section>
        </>
      )}
      {!data && isLoading && <Loading />}
      {!data && error !== undefined && (
        <Failure error={error} onRetry={reload}>
          <a href={page(kind.path)}>{t.toList}</a>
        </Failure>
      )}
    </Page>
  );
}
