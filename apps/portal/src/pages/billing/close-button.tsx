import type { Total } from '@fibre/client';
import { useMemo, useState } from 'preact/hooks';
import { LARGEST_PAGE, listingOf, readAll, totalOf } from '../../hooks/use-listing.js';
import { useAction } from '../../hooks/use-action.js';
import { useApp } from '../../session/context.js';
import { formatMoment, formatTotal } from '../../texts.js';
import { announce } from '../../ui/announcements.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { TextField } from '../../ui/form/field.js';
import { Form, useForm } from '../../ui/form/form.js';
import { Lacks } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import type { Ledger, Recorded, Row } from './ledger.js';
import { formatDays, partyName } from './parts.js';
import { texts } from './texts.js';
import { titleOf } from './window.js';
import { Button } from '../../ui/button.js';

interface CloseProps {
  readonly ledger: Ledger;
  /** What the page shows, up to an instant: exactly this is closed. */
  readonly search: Recorded;
  readonly totals: readonly Row<Total>[];
  /** Whether this window has been closed before. */
  readonly isAgain: boolean;
  readonly onClosed: (closing_id: string) => void;
  /** Reads again what is charged. */
  readonly onReadAgain: () => void;
}

/** The first is enough for a clerk, who records no events. */
const MAY_CLOSE = ['closings:write', 'events:write'] as const;

/** What others have recorded since the page was read. */
interface Since {
  /** Entities that are charged otherwise. */
  readonly changed: number;
  /** What is charged now; only there if something has changed. */
  readonly totals?: readonly Row<Total>[];
}

/** Closes a window for an ISP or for all of them, after a confirmation that shows what is closed. */
export function CloseButton(props: CloseProps) {
  const t = texts();
  const { ledger, search } = props;
  const checking = useAction();
  const [since, setSince] = useState<Since>();
  if (Date.parse(search.to) > Date.now()) return <p class="fine">{t.notEnded}</p>;
  const check = (signal: AbortSignal) => sinceThen(ledger, search, signal).then(setSince);
  return (
    <div class="actions">
      <Button
        look={props.isAgain ? undefined : 'primary'}
        scope={MAY_CLOSE}
        isBusy={checking.isBusy}
        onClick={() => void checking.run(check)}
        label={`${t.closeFor(titleOf(search), partyName(ledger, search.partner_id))} …`}
      />
      <Lacks scope={MAY_CLOSE} />
      {checking.error !== undefined && <Failure error={checking.error} takesFocus />}
      {since && <CloseDialog {...props} since={since} onCancel={() => setSince(undefined)} />}
    </div>
  );
}

async function sinceThen(ledger: Ledger, { recorded_until, ...search }: Recorded, signal: AbortSignal): Promise<Since> {
  const changed = await totalOf((query) => ledger.corrections({ ...search, recorded_from: recorded_until, ...query }, { signal }));
  if (changed === 0) return { changed };
  return { changed, totals: (await readAll(ledger.totals({ ...search, _page_size: LARGEST_PAGE }, { signal }))).items };
}

function CloseDialog(props: CloseProps & { since: Since; onCancel: () => void }) {
  const t = texts();
  const { fibre } = useApp();
  const { ledger, search, totals, since, onCancel } = props;
  const { from, to, timezone, partner_id, recorded_until } = search;
  const title = titleOf(search);
  const form = useForm({
    initial: { reference: '', comment: '' },
    required: [],
    isLasting: false,
    save: async ({ reference, comment }) => {
      const given = { ...(reference.trim() && { reference }), ...(comment.trim() && { comment }) };
      const body = { from, to, timezone, partner_id, recorded_until, ...given };
      const { closing_id } = await fibre.closings.create(body, { idempotencyKey });
      announce(t.wasClosed(title));
      onCancel();
      props.onClosed(closing_id);
    },
  });
  // Trying again after a lost response must not close it twice, unless something else is sent.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [form.values]);
  const readAgain = (): void => (onCancel(), props.onReadAgain());
  return (
    <Dialog title={`${t.closeFor(title, partyName(ledger, partner_id))}?`} onClose={onCancel}>
      <p>{t.closeMeans(formatMoment(recorded_until))}</p>
      {since.changed > 0 && (
        <>
          <p class="notice">
            {t.changedSince} {t.changed(formatTotal(since.changed))}
          </p>
          <p>{t.changedChoice}</p>
        </>
      )}
      <Compared ledger={ledger} shown={totals} now={since.totals} />
      <p>{t.closeForEver}</p>
      <Form
        form={form}
        submitLabel={t.close}
        actions={
          <>
            {since.changed > 0 && <Button label={t.readAgain} onClick={readAgain} />}
            <Button label={t.cancel} onClick={onCancel} />
          </>
        }
      >
        <TextField {...form.field('reference')} label={t.reference} hint={t.referenceHint} />
        <TextField {...form.field('comment')} label={t.comment} isLong />
      </Form>
    </Dialog>
  );
}

/** The days that are closed and, if they are others, those that are charged now. */
function Compared({ ledger, shown, now = [] }: { ledger: Ledger; shown: readonly Row<Total>[]; now: readonly Row<Total>[] | undefined }) {
  const t = texts();
  const [before, after] = [shown, now].map((totals) => new Map(totals.map((total) => [keyOf(total), total])));
  const rows = [...new Map([...before!, ...after!]).values()];
  const days = (title: string, totals: ReadonlyMap<string, Row<Total>>): Column<Row<Total>> => ({
    title,
    isNumber: true,
    cell: (row) => formatDays(totals.get(keyOf(row))?.days ?? 0),
    sum: () => formatDays([...totals.values()].reduce((sum, total) => sum + total.days, 0)),
  });
  return (
    <ListingTable
      listing={listingOf(rows)}
      caption={t.totals}
      columns={[
        { title: t.isp, cell: ({ partner_id }) => partyName(ledger, partner_id), sum: () => t.sum },
        { title: t.article, cell: ({ article_code }) => <code>{article_code}</code> },
        days(t.days, before!),
        ...(now.length > 0 ? [days(t.daysNow, after!)] : []),
      ]}
      keyOf={keyOf}
      empty={t.none}
    />
  );
}

const keyOf = ({ partner_id, article_code }: Row<Total>): string => `${partner_id}/${article_code}`;
