import { useRoute } from 'preact-iso';
import { versionOf } from '../../api/version.js';
import { page } from '../../configuration.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp } from '../../session/context.js';
import { formatTime } from '../../texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Facts } from '../../ui/facts.js';
import type { Values } from '../../ui/form/use-form.js';
import { Page } from '../../ui/page.js';
import { Section } from '../../ui/section.js';
import { WhenLoaded } from '../../ui/when-loaded.js';
import { DeleteRecord } from './delete-record.js';
import { EditRecord } from './edit-record.js';
import { Above } from './record-form.js';
import { idOf, type NamedRecord, type RecordKind } from './record-kind.js';
import { texts } from './record-texts.js';

/** One record: its id, its content, and the forms that change and delete it. */
export function RecordPage<R extends NamedRecord, V extends Values>({ kind }: { kind: RecordKind<R, V> }) {
  const t = texts();
  const { fibre } = useApp();
  const id = useRoute().params[kind.idName] ?? '';
  const loaded = useLoad((signal) => versionOf(kind.read(fibre, id, { signal })), id);
  return (
    <Page title={loaded.data?.record.name ?? t[kind.path]} above={<Above kind={kind} />}>
      <WhenLoaded loaded={loaded} otherwise={<a href={page(kind.path)}>{t.toList}</a>}>
        {(version) => (
          <>
            <Section title={kind.idName} why={kind.texts().use}>
              <div class="to-copy">
                <code>{idOf(kind, version.record)}</code>
                <CopyButton what={kind.idName} value={idOf(kind, version.record)} />
                {kind.link?.(version.record)}
              </div>
              <Facts
                facts={[
                  ...(kind.facts?.(version.record) ?? []),
                  [t.created, formatTime(version.record.created_at)],
                  [t.modified, formatTime(version.record.modified_at)],
                ]}
              />
            </Section>
            {kind.Next && <kind.Next record={version.record} />}
            <EditRecord key={id} kind={kind} version={version} reload={loaded.reload} />
            <Section title={t.danger} class="section danger-zone">
              <DeleteRecord kind={kind} version={version} reload={loaded.reload} />
            </Section>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}
