import { useMemo, useState } from 'preact/hooks';
import { useApp } from '../../session/context.js';
import { announce } from '../../ui/announcements.js';
import { Dialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/form/field.js';
import { Form, useForm } from '../../ui/form/form.js';
import { Lacks } from '../../ui/page.js';
import type { Search } from './ledger.js';
import { texts } from './texts.js';
import { titleOf } from './window.js';
import { Button } from '../../ui/button.js';

interface CloseProps {
  readonly search: Search;
  /** The name of the ISP, or words for all of them. */
  readonly party: string;
  readonly onClosed: (closing_id: string) => void;
}

/** Closes a window for an ISP or for all of them, after a confirmation that says what this means. */
export function CloseButton(props: CloseProps) {
  const t = texts();
  const [isAsking, setAsking] = useState(false);
  if (Date.parse(props.search.to) > Date.now()) return <p class="fine">{t.notEnded}</p>;
  return (
    <div class="actions">
      <Button
        look="primary"
        scope="events:write"
        onClick={() => setAsking(true)}
        label={`${t.closeFor(titleOf(props.search), props.party)} …`}
      />
      <Lacks scope="events:write" />
      {isAsking && <CloseDialog {...props} onCancel={() => setAsking(false)} />}
    </div>
  );
}

function CloseDialog({ search, party, onClosed, onCancel }: CloseProps & { onCancel: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const { from, to, timezone, partner_id } = search;
  const title = titleOf(search);
  const form = useForm({
    initial: { reference: '', comment: '' },
    required: [],
    isLasting: false,
    save: async ({ reference, comment }) => {
      const given = { ...(reference.trim() && { reference }), ...(comment.trim() && { comment }) };
      const { closing_id } = await fibre.closings.create({ from, to, timezone, partner_id, ...given }, { idempotencyKey });
      announce(t.wasClosed(title));
      onCancel();
      onClosed(closing_id);
    },
  });
  // Trying again after a lost response must not close it twice, unless something else is sent.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [form.values]);
  return (
    <Dialog title={`${t.closeFor(title, party)}?`} onClose={onCancel}>
      <p>{t.closeMeans}</p>
      <p>{t.closeForEver}</p>
      <Form form={form} submitLabel={t.close} actions={<Button label={t.cancel} onClick={onCancel} />}>
        <TextField {...form.field('reference')} label={t.reference} hint={t.referenceHint} />
        <TextField {...form.field('comment')} label={t.comment} isLong />
      </Form>
    </Dialog>
  );
}
