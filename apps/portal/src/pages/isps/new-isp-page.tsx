import { useLocation } from 'preact-iso';
import { announce } from '../../ui/announcements.js';
import { useApp, useScope } from '../../session/context.js';
import { page } from '../../configuration.js';
import { Form, TextField, useForm } from '../../ui/form.js';
import { Lacks } from '../../ui/lacks.js';
import { LinkButton } from '../../ui/link-button.js';
import { Page } from '../../ui/page.js';
import { useLeave } from '../../hooks/use-leave.js';
import { createIsp, createIspAs, REQUIRED } from './isp.js';
import { explainNameTaken, IspFields } from './isp-form.js';
import { texts } from './isp-texts.js';

export function NewIspPage() {
  const t = texts();
  const { fibre } = useApp();
  const { query } = useLocation();
  const leave = useLeave();
  const mayWrite = useScope('events:write');
  const form = useForm({
    initial: { name: '', email: '', comment: '', partner_id: query['partner_id'] ?? '' },
    required: REQUIRED,
    save: async (values) => {
      const asked = values.partner_id.trim();
      const { partner_id, name } = await (asked === '' ? createIsp(fibre, values) : createIspAs(fibre, asked, values, t.idTaken));
      form.isSaved(values);
      announce(t.wasCreated(name));
      await leave(`isps/${partner_id}`);
    },
  });
  return (
    <Page title={t.newIsp} above={<a href={page('isps')}>{t.isps}</a>}>
      <div class="section narrow">
        <Lacks scope="events:write" />
        <Form
          form={form}
          submitLabel={t.save}
          isOff={!mayWrite}
          explain={explainNameTaken}
          actions={<LinkButton href={page('isps')}>{t.cancel}</LinkButton>}
        >
          <IspFields form={form} />
          <TextField form={form} name="partner_id" label={t.id} hint={t.idHint} isOptional />
        </Form>
      </div>
    </Page>
  );
}
