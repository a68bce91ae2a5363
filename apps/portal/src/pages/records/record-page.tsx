import { useRoute } from 'preact-iso';
import { Refusal, type Version, versionOf } from '../../api/refusal.js';
import { page } from '../../configuration.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp } from '../../session/context.js';
import { announce } from '../../ui/announcements.js';
import { CopyButton } from '../../ui/copy-button.js';
import { WhenLoaded } from '../../ui/failure.js';
import { Form, useForm, type Values } from '../../ui/form/form.js';
import { Facts, Page, Section } from '../../ui/page.js';
import { When } from '../../ui/when.js';
import { Above, RecordFields } from './record-form.js';
import { idOf, type NamedRecord, type RecordKind, requiredIn, valuesOf } from './record-kind.js';
import { texts } from './record-texts.js';

/** One record: its id, its content, and the forms that change and delete it. */
export function RecordPage<R extends NamedRecord>({ kind }: { kind: RecordKind<R> }) {
  const t = texts();
  const { fibre } = useApp();
  const id = useRoute().params[kind.idName] ?? '';
  const loaded = useLoad((signal) => versionOf(kind.read(fibre, id, { signal })), id);
  return (
    <Page title={loaded.data?.record.name ?? t[kind.path]} above={<Above kind={kind} />}>
      <WhenLoaded loaded={loaded} otherwise={<a href={page(kind.path)}>{t.toList}</a>}>
        {({ record, etag }) => (
          <>
            <Section title={kind.idName} why={kind.texts().use}>
              <div class="to-copy">
                <code>{id}</code>
                <CopyButton what={kind.idName} value={id} />
                {kind.link?.(record)}
              </div>
              <Facts
                facts={[
                  ...(kind.facts?.(record) ?? []),
                  [t.created, <When at={record.created_at} by={record.created_by} />],
                  [t.modified, <When at={record.modified_at} by={record.modified_by} />],
                ]}
              />
            </Section>
            {kind.Next && <kind.Next record={record} />}
            <EditRecord key={etag} kind={kind} version={{ record, etag }} reload={loaded.reload} />
            <Section title={t.danger} class="section danger-zone">
              <kind.Remove record={record} etag={etag} reload={loaded.reload} />
            </Section>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

interface RecordProps<R extends NamedRecord> {
  kind: RecordKind<R>;
  version: Version<R>;
  reload: () => void;
}

/** Saves unless someone else has changed or deleted the record since it was loaded. */
function EditRecord<R extends NamedRecord>({ kind, version: { record, etag }, reload }: RecordProps<R>) {
  const t = texts();
  const { fibre } = useApp();
  const form = useForm({
    initial: valuesOf(kind, record),
    required: requiredIn(kind),
    save: async (values) => {
      await kind.update(fibre, idOf(kind, record), values, etag);
      announce(t.wasSaved);
      reload();
    },
  });
  return (
    <Section title={t.edit}>
      <Form form={form} submitLabel={t.save} scope={kind.writeScope} onOutdated={reload}>
        <RecordFields kind={kind} form={form} />
        {form.error instanceof Refusal && form.error.status === 412 && <SavedMeanwhile kind={kind} before={record} typed={form.values} />}
      </Form>
    </Section>
  );
}

/** What somebody else has saved, field by field, next to what was typed, which would be lost otherwise. */
function SavedMeanwhile<R extends NamedRecord>(props: { kind: RecordKind<R>; before: R; typed: Values }) {
  const t = texts();
  const { kind, before, typed } = props;
  const { fibre } = useApp();
  const loaded = useLoad((signal) => kind.read(fibre, idOf(kind, before), { signal }), '');
  return (
    <WhenLoaded loaded={loaded}>
      {(saved) => {
        const now = valuesOf(kind, saved);
        const different = kind.fields().filter(({ name }) => now[name] !== typed[name]);
        return (
          <div class="notice">
            <p>{t.savedMeanwhile}</p>
            <Facts facts={different.map(({ name, label }) => [label, t.savedAndTyped(now[name] || '–', typed[name] || '–')])} />
          </div>
        );
      }}
    </WhenLoaded>
  );
}
