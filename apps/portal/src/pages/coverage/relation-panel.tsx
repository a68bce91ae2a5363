import type { MergeResult } from '@fibre/client';
import { useEffect, useState } from 'preact/hooks';
import { Refusal } from '../../api/refusal.js';
import { useAction } from '../../hooks/use-action.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp, useScope } from '../../session/context.js';
import { formatCount, formatNumber } from '../../texts.js';
import { announce } from '../../ui/announcements.js';
import { Failure, WhenLoaded } from '../../ui/failure.js';
import { TextField } from '../../ui/form/field.js';
import { Form, useForm } from '../../ui/form/form.js';
import { RecordChoice } from '../../ui/form/record-choice.js';
import { Lacks, Section } from '../../ui/page.js';
import { previewMerge, type RelationNodes, relationNodes } from './access-node.js';
import { useCoverage } from './coverage-state.js';
import { saveNodes, SaveFirst } from './save-first.js';
import { texts } from './coverage-texts.js';
import { Button, LinkButton } from '../../ui/button.js';

/** Bulk actions on all nodes of a relation. */
export function RelationPanel() {
  const t = texts();
  const { filters, relations, error, change } = useCoverage();
  const { relation_id } = filters;
  return (
    <>
      <Lacks scope="coverage:write" />
      <RecordChoice
        records={relations}
        name="relation_id"
        label={t.relation}
        value={relation_id ?? ''}
        error={error instanceof Refusal ? error.byField.get('relation_id') : undefined}
        onChange={(chosen) => change({ relation_id: chosen })}
      />
      {relation_id === undefined ? <p class="fine">{t.chooseRelation}</p> : <OneRelation key={relation_id} relation_id={relation_id} />}
    </>
  );
}

function OneRelation({ relation_id }: { relation_id: string }) {
  const t = texts();
  const { fibre } = useApp();
  const { shown, revision } = useCoverage();
  const loaded = useLoad((signal) => relationNodes(fibre, relation_id, signal), relation_id);
  useEffect(loaded.reload, [revision]);
  return (
    <WhenLoaded loaded={loaded}>
      {(relation) => (
        <>
          {relation.name === undefined && (
            <div class="notice">
              <p>{t.noRelation}</p>
              <LinkButton label={t.createRelation} to="relations/new" scopes={['coverage:write']} />
            </div>
          )}
          <MergeRelation relation={relation} />
          <DeleteRelationNodes key={shown.target} relation={relation} />
        </>
      )}
    </WhenLoaded>
  );
}

function MergeRelation({ relation }: { relation: RelationNodes }) {
  const t = texts();
  const { fibre } = useApp();
  const { onChanged } = useCoverage();
  const [merged, setMerged] = useState<MergeResult['action']>();
  const [isSaved, setSaved] = useState(false);
  const merge = useAction();
  const run = () =>
    merge.run(async (signal) => {
      const { relation_id } = relation;
      if (isSaved) await saveNodes(fibre, { relation_id, target: 'nodes' }, relation.name ?? relation_id, signal);
      setMerged((await fibre.coverage.nodes.merge(relation_id)).action);
      announce(t.merged);
      onChanged();
    });
  return (
    <Section title={t.merge}>
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
          {merged.length > 0 && <LinkButton label={t.showMerged} to={`coverage?relation_id=${relation.relation_id}&panel=list`} />}
        </div>
      )}
      {merge.error !== undefined && <Failure error={merge.error} takesFocus />}
      {relation.prenodes.count > 0 ? (
        <>
          <Preview relation={relation} />
          {relation.nodes.count > 0 && <SaveFirst isOn={isSaved} onChange={setSaved} />}
          <Button
            label={t.doMerge(formatCount(relation.prenodes))}
            look="primary"
            scope="coverage:write"
            isBusy={merge.isBusy}
            onClick={() => void run()}
          />
        </>
      ) : (
        !merged && <p>{t.noNodesIn('prenodes')}</p>
      )}
    </Section>
  );
}

/** Shows what a merge would do now. */
function Preview({ relation }: { relation: RelationNodes }) {
  const t = texts();
  const { fibre } = useApp();
  const { prenodes, nodes } = relation;
  const loaded = useLoad(async (signal) => ({ preview: await previewMerge(fibre, relation, signal) }), `${prenodes.count} ${nodes.count}`);
  return (
    <WhenLoaded loaded={loaded}>
      {({ preview }) => (
        <div>
          <p>{t.compare}</p>
          <ul class="bullets">
            <li>{t.mergeMoves(formatCount(prenodes))}</li>
            {preview === undefined ? (
              <li>{t.mergeUnknown}</li>
            ) : (
              <>
                {preview.added > 0 && <li>{t.mergeAdded(formatCount({ ...prenodes, count: preview.added }))}</li>}
                {preview.changed > 0 && <li>{t.mergeChanged(formatNumber(preview.changed))}</li>}
                {preview.equal > 0 && <li>{t.mergeEqual(formatNumber(preview.equal))}</li>}
              </>
            )}
          </ul>
        </div>
      )}
    </WhenLoaded>
  );
}

/** Deletes all nodes of the relation in the shown collection, once the person has typed the relation's name. */
function DeleteRelationNodes({ relation: { relation_id, name = relation_id, ...counts } }: { relation: RelationNodes }) {
  const t = texts();
  const { fibre } = useApp();
  const { shown, onChanged } = useCoverage();
  const { target } = shown;
  const mayWrite = useScope('coverage:write');
  const [isSaved, setSaved] = useState(true);
  const form = useForm({
    initial: { name: '' },
    required: ['name'],
    isLasting: false,
    save: async () => {
      if (isSaved) await saveNodes(fibre, { relation_id, target }, name);
      await fibre.coverage.nodes.deleteByRelation(relation_id, { target });
      announce(t.deletedAll);
      onChanged();
    },
  });
  const isConfirmed = [name, relation_id].includes(form.values.name.trim());
  return (
    <Section title={t.deleteAll}>
      {counts[target].count === 0 ? (
        <p>{t.noNodesIn(target)}</p>
      ) : (
        <>
          <p>
            {t.inCollection(formatCount(counts[target]), target)} {t.notUndone}
          </p>
          <Form form={form} submitLabel={t.doDelete} isOff={!isConfirmed || !mayWrite} isDanger>
            <TextField {...form.field('name')} label={t.deleteConfirm(name)} />
            <SaveFirst isOn={isSaved} onChange={setSaved} />
          </Form>
        </>
      )}
    </Section>
  );
}
