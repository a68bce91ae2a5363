import { announce } from '../../ui/announcements.js';
import { useApp, useScope } from '../../session/context.js';
import { page } from '../../configuration.js';
import { Form, useForm } from '../../ui/form.js';
import { Lacks } from '../../ui/lacks.js';
import { LinkButton } from '../../ui/link-button.js';
import { Page } from '../../ui/page.js';
import { useLeave } from '../../hooks/use-leave.js';
import { createRelation, NO_VALUES, REQUIRED } from './relation.js';
import { explainNameTaken, RelationFields } from './relation-form.js';
import { texts } from './relation-texts.js';

export function NewRelationPage() {
  const t = texts();
  const { fibre } = useApp();
  const leave = useLeave();
  const mayWrite = useScope('coverage:write');
  const form = useForm({
    initial: NO_VALUES,
    required: REQUIRED,
    save: async (values) => {
      const { relation_id, name } = await createRelation(fibre, values);
      form.isSaved(values);
      announce(t.wasCreated(name));
      await leave(`relations/${relation_id}`);
    },
  });
  return (
    <Page
      title={t.newRelation}
      above={
        <>
          {t.organisation} › <a href={page('relations')}>{t.relations}</a>
        </>
      }
    >
      <div class="section narrow">
        <Lacks scope="coverage:write" />
        <Form
          form={form}
          submitLabel={t.save}
          isOff={!mayWrite}
          explain={explainNameTaken}
          actions={<LinkButton href={page('relations')}>{t.cancel}</LinkButton>}
        >
          <RelationFields form={form} />
        </Form>
      </div>
    </Page>
  );
}
