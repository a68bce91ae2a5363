import type { Collection } from '@fibre/client';
import type { Words } from '../../api/refusal.js';
import { useEffect, useId, useState } from 'preact/hooks';
import { announce } from '../../ui/announcements.js';
import { useApp, useScope } from '../../session/context.js';
import { formatEstimate, formatNumber } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { Lacks } from '../../ui/lacks.js';
import { Loading } from '../../ui/table.js';
import { useAction } from '../../hooks/use-action.js';
import { useLoad } from '../../hooks/use-load.js';
import { type Count, countNodes, type Merged, type MergePreview, previewMerge } from './access-node.js';
import type { Changes } from './coverage-state.js';
import { texts } from './coverage-texts.js';
import { RelationChoice, type Relations } from './relation-choice.js';

interface Props {
  readonly relation_id: string;
  /** Increases when nodes have changed. */
  readonly revision: number;
  readonly onChanged: () => void;
}

/** Bulk actions on all nodes of a relation. */
export function RelationPanel(props: {
  relation_id: string | undefined;
  target: Collection;
  relations: Relations;
  errors: ReadonlyMap<string, Words>;
  revision: number;
  change: (changes: Changes) => void;
  onChanged: () => void;
}) {
  const t = texts();
  const { relation_id, target, relations, change, ...rest } = props;
  const name = relations.known.find((one) => one.relation_id === relation_id)?.name;
  return (
    <>
      <Lacks scope="coverage:write" />
      <RelationChoice
        relations={relations}
        value={relation_id}
        error={props.errors.get('relation_id')}
        onChange={(chosen) => change({ relation_id: chosen })}
      />
      {relation_id === undefined ? (
        <p class="fine">{t.chooseRelation}</p>
      ) : (
        <>
          <MergeRelation key={`merge ${relation_id}`} {...rest} relation_id={relation_id} />
          <DeleteRelationNodes
            key={`delete ${relation_id} ${target}`}
            {...rest}
            relation_id={relation_id}
            target={target}
            name={name ?? relation_id}
          />
        </>
      )}
    </>
  );
}

/** A count, exact or estimated. */
function wordsOf({ count, isExact }: Count): string {
  return isExact ? formatNumber(count) : texts().about(formatEstimate(count));
}

function MergeRelation({ relation_id, revision, onChanged }: Props) {
  const t = texts();
  const { fibre } = useApp();
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
  const { data } = preview;
  const isNothing = data?.prenodes.count === 0;
  return (
    <section class="section">
      <h2>{t.merge}</h2>
      <p class="fine">{t.mergeExplanation}</p>
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
      {data && !(merged && isNothing) && <Preview preview={data} />}
      {preview.isLoading && <Loading />}
      {preview.error !== undefined && <Failure error={preview.error} onRetry={preview.reload} />}
      {merge.error !== undefined && <Failure error={merge.error} takesFocus />}
      {!(merged && isNothing) && (
        <button
          type="button"
          class="primary"
          disabled={!mayWrite || !data || isNothing}
          aria-disabled={merge.isBusy}
          onClick={() => void run()}
        >
          {data && !isNothing ? t.doMerge(wordsOf(data.prenodes)) : t.doMergeNone}
        </button>
      )}
    </section>
  );
}

function Preview({ preview: { prenodes, replacing } }: { preview: MergePreview }) {
  const t = texts();
  return (
    <div>
      <p>{t.compare}</p>
      <ul class="bullets">
        {prenodes.count === 0 && <li>{t.mergeNothing}</li>}
        {prenodes.count > 0 && <li>{t.mergeMoves(wordsOf(prenodes))}</li>}
        {prenodes.count > 0 && replacing !== undefined && (
          <>
            <li>{t.mergeInserts(wordsOf({ ...prenodes, count: prenodes.count - replacing }))}</li>
            <li>{t.mergeUpdates(formatNumber(replacing))}</li>
          </>
        )}
        {replacing === undefined && <li>{t.mergeUnknown}</li>}
      </ul>
    </div>
  );
}

function DeleteRelationNodes(props: Props & { target: Collection; name: string }) {
  const t = texts();
  const { fibre } = useApp();
  const { relation_id, revision, target, name } = props;
  const mayWrite = useScope('coverage:write');
  const counted = useLoad((signal) => countNodes(fibre, { relation_id, target }, signal), `${relation_id} ${target} ${revision}`);
  const [typed, setTyped] = useState('');
  useEffect(() => setTyped(''), [revision]);
  const deletion = useAction();
  const id = useId();
  const run = () =>
    deletion.run(async () => {
      await fibre.coverage.nodes.deleteByRelation(relation_id, { target });
      announce(t.deletedAll);
      props.onChanged();
    });
  const isConfirmed = [name, relation_id].includes(typed.trim());
  const count = counted.data;
  return (
    <section class="section">
      <h2>{t.deleteAll}</h2>
      {count && <p>{count.count === 0 ? t.deleteNothing(t[target]) : t.deleteExplanation(wordsOf(count), t[target])}</p>}
      {counted.isLoading && !count && <Loading />}
      {counted.error !== undefined && <Failure error={counted.error} onRetry={counted.reload} />}
      {count !== undefined && count.count > 0 && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isConfirmed && mayWrite) void run();
          }}
        >
          <div class="field">
            <label for={id}>{t.deleteConfirm(name)}</label>
            <input
              id={id}
              value={typed}
              autoComplete="off"
              disabled={!mayWrite}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </div>
          {deletion.error !== undefined && <Failure error={deletion.error} takesFocus />}
          <button type="submit" class="danger" disabled={!isConfirmed || !mayWrite} aria-disabled={deletion.isBusy}>
            {t.doDelete}
          </button>
        </form>
      )}
    </section>
  );
}
