import { useLocation } from 'preact-iso';
import { orNone, refusedAt } from '../../refusal.js';
import { page } from '../../configuration.js';
import { useLeave } from '../../hooks/leaving.js';
import { useApp } from '../../session/context.js';
import { words } from '../../texts.js';
import { announce } from '../../ui/announcements.js';
import { TextField } from '../../ui/form/field.js';
import { Form, type FormState, useForm, type Values } from '../../ui/form/form.js';
import { Page } from '../../ui/page.js';
import { idOf, type NamedRecord, type RecordKind, requiredIn, valuesOf } from './record-kind.js';
import { texts } from './record-texts.js';
import { LinkButton } from '../../ui/button.js';

/** The breadcrumbs of a record's page. */
export function Above({ kind }: { kind: Pick<RecordKind, 'path' | 'group'> }) {
  return (
    <>
      {kind.group && <>{kind.group()} › </>}
      <a href={page(kind.path)}>{words()[kind.path]}</a>
    </>
  );
}

/** The form fields of a record. */
export function RecordFields<R extends NamedRecord>({ kind, form }: { kind: RecordKind<R>; form: FormState<Values> }) {
  return (
    <>
      {kind.fields().map((field) => (
        <TextField key={field.name} {...form.field(field.name)} {...field} />
      ))}
    </>
  );
}

/** The form for a new record. */
export function NewPage<R extends NamedRecord>({ kind }: { kind: RecordKind<R> }) {
  const t = texts();
  const own = kind.texts();
  const { fibre } = useApp();
  const leave = useLeave();
  const { idName } = kind;
  const { query } = useLocation();
  const form = useForm<Values>({
    // An event that names an unregistered ISP links here with its id.
    initial: { ...valuesOf(kind), [idName]: query[idName] ?? '' },
    required: requiredIn(kind),
    save: async ({ [idName]: chosen = '', ...values }) => {
      const id = chosen.trim();
      if (id !== '' && (await orNone(kind.read(fibre, id)))) throw refusedAt(idName, own.idTaken!);
      const record = await kind.create(fibre, values, id || undefined);
      announce(t.wasCreated(record.name));
      await leave(`${kind.path}/${idOf(kind, record)}`);
    },
  });
  return (
    <Page title={own.create} above={<Above kind={kind} />}>
      <div class="section">
        <Form form={form} submitLabel={t.save} actions={<LinkButton label={t.cancel} to={kind.path} />}>
          <RecordFields kind={kind} form={form} />
          {own.idHint !== undefined && <TextField {...form.field(idName)} label={idName} hint={own.idHint} />}
        </Form>
      </div>
    </Page>
  );
}
