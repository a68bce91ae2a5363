import { useLocation } from 'preact-iso';
import { orNone, refusedAt } from '../../api/refusal.js';
import { page } from '../../configuration.js';
import { useLeave } from '../../hooks/use-leave.js';
import { useApp } from '../../session/context.js';
import { announce } from '../../ui/announcements.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { useForm, type Values } from '../../ui/form/use-form.js';
import { LinkButton } from '../../ui/link-button.js';
import { Page } from '../../ui/page.js';
import { Above, explainNameTaken, RecordFields, requiredOf } from './record-form.js';
import { idOf, type NamedRecord, type RecordKind } from './record-kind.js';
import { texts } from './record-texts.js';

/** The form of a new record. */
export function NewPage<R extends NamedRecord, V extends Values>({ kind }: { kind: RecordKind<R, V> }) {
  const t = texts();
  const own = kind.texts();
  const { fibre } = useApp();
  const { query } = useLocation();
  const leave = useLeave();
  const { idName } = kind;
  const form = useForm({
    initial: { ...kind.empty, [idName]: query[idName] ?? '' },
    required: requiredOf(kind),
    save: async (typed) => {
      const { [idName]: chosen = '', ...values } = typed as Values;
      const id = chosen.trim();
      if (id !== '' && (await orNone(kind.read(fibre, id)))) throw refusedAt(idName, own.idTaken!);
      const record = await kind.create(fibre, values as V, id || undefined);
      form.isSaved(typed);
      announce(t.wasCreated(record.name));
      await leave(`${kind.path}/${idOf(kind, record)}`);
    },
  });
  return (
    <Page title={own.create} above={<Above kind={kind} />}>
      <div class="section narrow">
        <Form
          form={form}
          submitLabel={t.save}
          explain={(refusal) => explainNameTaken(kind, refusal)}
          actions={<LinkButton href={page(kind.path)}>{t.cancel}</LinkButton>}
        >
          <RecordFields kind={kind} form={form} />
          {own.idHint !== undefined && <TextField form={form} name={idName} label={idName} hint={own.idHint} isOptional />}
        </Form>
      </div>
    </Page>
  );
}
