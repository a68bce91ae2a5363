import { useState } from 'preact/hooks';
import { Refusal } from '../../api/refusal.js';
import { announce } from '../../ui/announcements.js';
import { useApp, useScope } from '../../session/context.js';
import { formatCount, formatNumber } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { RecordChoice } from '../../ui/form/record-choice.js';
import { useForm } from '../../ui/form/use-form.js';
import { Lacks } from '../../ui/lacks.js';
import { Section } from '../../ui/section.js';
import { WhenLoaded } from '../../ui/when-loaded.js';
import { useAction } from '../../hooks/use-action.js';
import { useLoad } from '../../hooks/use-load.js';
import { countNodes, type Merged, type MergePreview, previewMerge } from './access-node.js';
import { useCoverage } from './coverage-state.js';
import { texts } from './coverage-texts.js';

/** Bulk actions on all nodes of a relation. */
export function RelationPanel() {
  const t = texts();
  const { filters, shown, relations, error, revision, change } = useCoverage();
  const { relation_id } = filters;
  return (
    <>
      <Lacks scope="coverage:write" />
      <RecordChoice
        records={relations}
        label={t.relation}
        value={relation_id ?? ''}
        noneLabel={t.choose}
        error={error instanceof Refusal ? error.byField.get('relation_id') : undefined}
        onChange={(chosen) => change({ relation_id: chosen })}
      />
      {relation_id === undefined ? (
        <p class="fine">{t.chooseRelation}</p>
      ) : (
        <>
          <MergeRelation key={`merge ${relation_id}`} relation_id={relation_id} />
          <DeleteRelationNodes key={`delete ${relation_id} ${shown.target} ${revision}`} relation_id={relation_id} />
        </>
      )}
    </>
  );
}

function MergeRelation({ relation_id }: { relation_id: string }) {
  const t = texts();
  const { fibre } = useApp();
  const { revision, onChanged } = useCoverage();
  const mayWrite = useScope('coverage:write');
  const preview = useLoad((signal) => previewMerge(fibre, relation_id, signal), `${relation_id} ${revision}`);
  const [merged, setMerged] = useState<Merged>();
  const merge = useAction();
  const run = () =>
    merge.run(async () => {
      setMerged((await fibre.coverage.nodes.merge(relation_id)).action);
      announce(t.merged);
      onChanged();
    });
  return (
    <Section title={t.merge} why={t.mergeExplanation}>
      {merged && (
        <div class="notice success" role="status">
          <p>
            <strong>{t.merged}</strong>
          </p>
          <ul>
            {merged.length === 0 && <li>{t.mergedNothing}</li>}
            {merged.map(({ merge_action, count }) => (
              <li key={merge_action}>{(merge_action === 'INSERT' ? t.mergedInsert : t.mergedUpdate)(formatNumber(count))}</li>
            ))}
          </ul>
        </div>
      )}
      {merge.error !== undefined && <Failure error={merge.error} takesFocus />}
      <WhenLoaded loaded={preview}>
        {(data) =>
          data.prenodes > 0 ? (
            <>
              <Preview preview={data} />
              <button type="button" class="primary" disabled={!mayWrite} aria-disabled={merge.isBusy} onClick={() => void run()}>
                {t.doMerge(formatCount(data.prenodes))}
              </button>
            </>
          ) : (
            !merged && <p>{t.mergeNothing}</p>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function Preview({ preview: { prenodes, replacing } }: { preview: MergePreview }) {
  const t = texts();
  return (
    <div>
      <p>{t.compare}</p>
      <ul class="bullets">
        <li>{t.mergeMoves(formatCount(prenodes))}</li>
        {replacing === undefined ? (
          <li>{t.mergeUnknown}</li>
        ) : (
          <>
            <li>{t.mergeInserts(formatCount(prenodes - replacing))}</li>
            <li>{t.mergeUpdates(formatNumber(replacing))}</li>
          </>
        )}
      </ul>
    </div>
  );
}

/** Deletes all nodes of the relation in the shown collection, once its name is typed. */
function DeleteRelationNodes({ relation_id }: { relation_id: string }) {
  const t = texts();
  const { fibre } = useApp();
  const { shown, relations, onChanged } = useCoverage();
  const { target } = shown;
  const name = relations.nameOf.get(relation_id) ?? relation_id;
  const mayWrite = useScope('coverage:write');
  const counted = useLoad((signal) => countNodes(fibre, { relation_id, target }, signal), '');
  const form = useForm({
    initial: { name: '' },
    required: ['name'],
    isLasting: false,
    save: async () => {
      await fibre.coverage.nodes.deleteByRelation(relation_id, { target });
      announce(t.deletedAll);
      onChanged();
    },
  });
  const isConfirmed = [name, relation_id].includes(form.values.name.trim());
  return (
    <Section title={t.deleteAll}>
      <WhenLoaded loaded={counted}>
        {(count) =>
          count === 0 ? (
            <p>{t.deleteNothing(t[target])}</p>
          ) : (
            <>
              <p>{t.deleteExplanation(formatCount(count), t[target])}</p>
              <Form form={form} submitLabel={t.doDelete} isOff={!isConfirmed || !mayWrite} isDanger>
                <TextField form={form} name="name" label={t.deleteConfirm(name)} />
              </Form>
            </>
          )
        }
      </WhenLoaded>
    </Section>
  );
}
