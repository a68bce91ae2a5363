import { type AccessNodesChanges, ApiError, STATUSES, TOKENS } from '@fibre/client';
import { useState } from 'preact/hooks';
import { useAction } from '../../hooks/use-action.js';
import { Refusal } from '../../refusal.js';
import { useApp } from '../../session/context.js';
import { defineTexts, formatNumber } from '../../texts.js';
import { announce } from '../../ui/announcements.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Failure } from '../../ui/failure.js';
import { SelectField, TextField } from '../../ui/form/field.js';
import { Form, useForm } from '../../ui/form/form.js';
import { useCoverage } from './coverage-state.js';
import { choicesOf, nodesInWords, texts as coverageTexts } from './coverage-texts.js';
import { sentOf } from './node-fields.js';

/** Number of different faults that are shown at a field. */
const MOST_FAULTS = 3;

const texts = defineTexts({
  edit: ['Change', 'Ändern'],
  keep: ['(as it is)', '(wie bisher)'],
  unchanged: ['All of them have these values already.', 'Alle haben diese Werte schon.'],
  title: [(nodes: string) => `Change ${nodes}?`, (nodes) => `${nodes} ändern?`],
  others: [(count: string) => `${count} others have these values already.`, (count) => `${count} weitere haben diese Werte schon.`],
  change: [(count: string) => `Change ${count}`, (count) => `${count} ändern`],
  changed: [(count: string) => `Access nodes changed: ${count}`, (count) => `Geänderte Zugangsknoten: ${count}`],
});

/** Rethrows what is wrong with the units of some nodes as an error of the field that was changed; nobody knows the nodes by their numbers in the request. */
function atUnits(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const { errors = [], ...problem } = error.problem;
  const faults = errors.flatMap(({ detail }) => /^units_connected (?<fault>.+)$/.exec(detail ?? '')?.groups!.fault ?? []);
  if (faults.length === 0) throw error;
  const told = [...new Set(faults)].slice(0, MOST_FAULTS).map((detail) => ({ parameter: 'units_connected', detail }));
  throw new Refusal(error.status, { ...problem, errors: told });
}

/** Sets a stage, a status, a date or how many homes are connected, once the person has seen in how many nodes. */
export function ChangeNodes({ ids }: { ids: string[] }) {
  const t = { ...coverageTexts(), ...texts() };
  const { fibre } = useApp();
  const { onChanged } = useCoverage();
  const [asked, ask] = useState<{ changes: AccessNodesChanges; updated: number; unchanged: number }>();
  const [said, say] = useState('');
  const action = useAction();
  const form = useForm({
    initial: { token: '', status: '', available_from: '', units_connected: '' },
    required: [],
    isLasting: false,
    save: async ({ token, status, available_from, units_connected }) => {
      const changes = {
        ...(token && { token }),
        ...(status && { status }),
        ...(available_from && { available_from }),
        ...(units_connected.trim() && { units_connected: sentOf('units_connected', units_connected) }),
      } as AccessNodesChanges;
      const counts = await fibre.coverage.nodes.updateMany(ids, changes, { dryRun: true }).catch(atUnits);
      say(counts.updated === 0 ? t.unchanged : '');
      if (counts.updated > 0) ask({ changes, ...counts });
    },
  });
  const change = (changes: AccessNodesChanges): Promise<void> =>
    action.run(async () => {
      const { updated } = await fibre.coverage.nodes.updateMany(ids, changes);
      announce(t.changed(formatNumber(updated)));
      onChanged();
    });
  const options = (values: readonly string[]) => [{ value: '', label: t.keep }, ...choicesOf(values)];
  const close = (): void => {
    action.forget();
    ask(undefined);
  };
  return (
    <Form form={form} submitLabel={`${t.edit} …`} scope="coverage:write">
      <div class="filter-fields">
        <SelectField {...form.field('token')} isRequired label={t.token} options={options(TOKENS)} />
        <SelectField {...form.field('status')} isRequired label={t.status} options={options(STATUSES)} />
        <TextField {...form.field('available_from')} isRequired label={t.available_from} type="date" />
        <TextField {...form.field('units_connected')} isRequired label={t.units_connected} />
      </div>
      <p role="status">{said}</p>
      {asked && (
        <Dialog title={t.title(nodesInWords(asked.updated))} onClose={close}>
          {asked.unchanged > 0 && <p>{t.others(formatNumber(asked.unchanged))}</p>}
          {action.error !== undefined && <Failure error={action.error} takesFocus />}
          <div class="actions">
            <Button
              label={t.change(formatNumber(asked.updated))}
              look="primary"
              isBusy={action.isBusy}
              onClick={() => void change(asked.changes)}
            />
            <Button label={t.cancel} onClick={close} />
          </div>
        </Dialog>
      )}
    </Form>
  );
}
