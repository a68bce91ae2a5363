import { useState } from 'preact/hooks';
import type { Refusal } from '../../api/refusal.js';
import { type Version, versionOf } from '../../api/version.js';
import { page } from '../../configuration.js';
import { useApp, useScope } from '../../session/context.js';
import { announce } from '../../ui/announcements.js';
import { Failure } from '../../ui/failure.js';
import { Form } from '../../ui/form/form.js';
import { useForm, type Values } from '../../ui/form/use-form.js';
import { Lacks } from '../../ui/lacks.js';
import { Section } from '../../ui/section.js';
import { explainNameTaken, RecordFields, requiredOf } from './record-form.js';
import { idOf, type NamedRecord, type RecordKind } from './record-kind.js';
import { texts } from './record-texts.js';

/** Saves unless someone else has changed or deleted the record since it was loaded; the input always stays. */
export function EditRecord<R extends NamedRecord, V extends Values>(props: {
  kind: RecordKind<R, V>;
  version: Version<R>;
  reload: () => void;
}) {
  const t = texts();
  const { kind, version, reload } = props;
  const { fibre } = useApp();
  const mayWrite = useScope(kind.writeScope);
  // The saved values when the input was last compared with them.
  const [base, setBase] = useState(version);
  const [isCompared, setCompared] = useState(false);
  const id = idOf(kind, base.record);
  const compare = async (isShown: boolean): Promise<void> => {
    const saved = await versionOf(kind.read(fibre, id));
    setBase(saved);
    setCompared(isShown);
    form.isSaved(kind.valuesOf(saved.record));
    reload();
  };
  const form = useForm<V>({
    initial: kind.valuesOf(version.record),
    required: requiredOf(kind),
    save: async (values) => {
      await kind.update(fibre, id, values, base.etag);
      await compare(false);
      announce(t.wasSaved);
    },
  });
  const explain = (refusal: Refusal) => {
    if (refusal.status === 412)
      return (
        <Failure error={refusal} title={t.changed} detail={t.changedWhy} takesFocus>
          <button type="button" onClick={() => void form.run(() => compare(true))}>
            {t.showSaved}
          </button>
        </Failure>
      );
    if (refusal.status === 404)
      return (
        <Failure error={refusal} title={t.gone} detail={t.goneWhy} takesFocus>
          <a href={page(kind.path)}>{t.toList}</a>
        </Failure>
      );
    return explainNameTaken(kind, refusal);
  };
  return (
    <Section title={t.edit}>
      <Lacks scope={kind.writeScope} />
      <Form form={form} submitLabel={t.save} isOff={!mayWrite} explain={explain}>
        <RecordFields kind={kind} form={form} saved={isCompared ? kind.valuesOf(base.record) : undefined} />
      </Form>
    </Section>
  );
}
