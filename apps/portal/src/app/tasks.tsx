import type { CoverageOverview } from '@fibre/client';
import { page } from '../configuration.js';
import { rememberedMapping } from '../pages/coverage/last-import.js';
import { isInTrouble, nameOf, useWebhooks } from '../pages/webhooks/webhooks.js';
import { defineTexts, formatCount, formatNumber, formatTime } from '../texts.js';
import { shortId } from '../ui/copy-button.js';
import { Section } from '../ui/page.js';
import { NameLink } from '../ui/table.js';
import { When } from '../ui/when.js';

const texts = defineTexts({
  waiting: ['Waiting for a merge', 'Wartet auf die Veröffentlichung'],
  noRelation: [(id: string) => `no relation (${id})`, (id) => `keine Relation (${id})`],
  limited: [(count: number) => `Only ${count} of them are listed.`, (count) => `Es werden nur ${count} angezeigt.`],
  failing: ['Webhooks that do not arrive', 'Webhooks, die nicht ankommen'],
  failingSince: [(moment: string) => `since ${moment}`, (moment) => `seit ${moment}`],
  switchedOff: ['(switched off)', '(abgeschaltet)'],
  imports: ['Imports of the last day', 'Importe des letzten Tages'],
  severalRelations: ['Relations as in the file', 'Relationen laut Datei'],
  rows: [(count: string) => `${count} rows`, (count) => `${count} Zeilen`],
  nextFile: ['Next file', 'Nächste Datei'],
  rejected: [(count: string) => `${count} rejected`, (count) => `${count} abgelehnt`],
  merge: [(count: string) => `Merge ${count}`, (count) => `${count} veröffentlichen`],
});

/** How many of the imports of the last day are named. */
const MOST_IMPORTS = 5;
/** How many relations the service returns at most. */
const MOST_WAITING = 10;

/** Webhooks that fail. */
export function FailingWebhooks() {
  const t = texts();
  const failing = useWebhooks().data?.filter(isInTrouble) ?? [];
  if (failing.length === 0) return null;
  return (
    <Section title={t.failing}>
      <ul class="lines">
        {failing.map((webhook) => (
          <li key={webhook.webhook_id}>
            <NameLink to={`webhooks/${webhook.feed}/${webhook.webhook_id}`} name={nameOf(webhook)} />
            <span class="fine">
              {webhook.failing_since !== undefined && t.failingSince(formatTime(webhook.failing_since))}
              {webhook.state === 'disabled' && ` ${t.switchedOff}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The last imports, with the way to import the next file into the same relation. */
export function LastImports({ imports }: Pick<CoverageOverview, 'imports'>) {
  const t = texts();
  if (imports.length === 0) return null;
  return (
    <Section title={t.imports}>
      <ul class="lines">
        {imports.slice(0, MOST_IMPORTS).map(({ created_at, created_by, relation_id, name, rows, refused }) => (
          <li key={created_at}>
            <span>
              {relation_id === undefined ? t.severalRelations : <RelationName relation_id={relation_id} name={name} />}{' '}
              <span class="fine below">
                <When at={created_at} by={created_by} />
              </span>
            </span>
            <span>
              {t.rows(formatNumber(rows))}
              {refused > 0 && <span class="error"> {t.rejected(formatNumber(refused))}</span>}
            </span>
            {relation_id !== undefined && (
              <a href={page(importInto(relation_id))} aria-label={`${t.nextFile}, ${name ?? shortId(relation_id)}`}>
                {t.nextFile}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Relations that wait for a merge. */
export function WaitingRelations({ waiting }: Pick<CoverageOverview, 'waiting'>) {
  const t = texts();
  if (waiting.length === 0) return null;
  return (
    <Section title={t.waiting}>
      <ul class="lines">
        {waiting.map(({ relation_id, name, prenodes }) => (
          <li key={relation_id}>
            <RelationName relation_id={relation_id} name={name} />
            <a href={page(`coverage?target=prenodes&panel=bulk&relation_id=${relation_id}`)}>{t.merge(formatCount(prenodes))}</a>
          </li>
        ))}
      </ul>
      {waiting.length === MOST_WAITING && <p class="fine">{t.limited(MOST_WAITING)}</p>}
    </Section>
  );
}

/** A relation of nodes, linked to its page or, if it has not been created, to its nodes. */
function RelationName({ relation_id, name }: { relation_id: string; name: string | undefined }) {
  if (name !== undefined) return <NameLink to={`relations/${relation_id}`} name={name} />;
  const nodes = `coverage?target=prenodes&panel=list&relation_id=${relation_id}`;
  return <NameLink to={nodes} name={texts().noRelation(shortId(relation_id))} />;
}

/** Where the next file of a relation goes: as the last one did. */
const importInto = (relation_id: string): string =>
  `coverage?target=${rememberedMapping(relation_id).target ?? 'prenodes'}&panel=files&relation_id=${relation_id}`;
