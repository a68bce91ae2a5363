import { COLLECTIONS, TOKENS } from '@fibre/client';
import type { ComponentChildren } from 'preact';
import { lazy, useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { page, type Scope } from '../configuration.js';
import { useLoad } from '../hooks/use-load.js';
import { menuFor } from '../pages/index.js';
import { rememberedMapping } from '../pages/coverage/last-import.js';
import { isInTrouble, nameOf, useWebhooks } from '../pages/webhooks/webhooks.js';
import { useApp, useScope, useScopes } from '../session/context.js';
import { type Count, defineTexts, formatCount, formatNumber, formatTime, sumOf } from '../texts.js';
import { Page, Section } from '../ui/page.js';
import { shortId } from '../ui/copy-button.js';
import { NameLink } from '../ui/table.js';
import { WhenLoaded } from '../ui/failure.js';
import { When } from '../ui/when.js';
import { TrendChart } from './trend-chart.js';

const texts = defineTexts({
  title: ['Overview', 'Übersicht'],
  steps: ['First steps', 'Erste Schritte'],
  firstRelation: ['Create a relation', 'Eine Relation anlegen'],
  firstImport: ['Import access nodes', 'Zugangsknoten importieren'],
  firstActivation: ['Record the first event of an entity', 'Das erste Ereignis eines Anschlusses erfassen'],
  done: ['(done)', '(erledigt)'],
  inOperation: ['Nodes in operation', 'Knoten in Betrieb'],
  connected: [(count: string) => `${count} with connected homes`, (count) => `${count} mit angeschlossenen Wohnungen`],
  activeEntities: ['Active entities', 'Aktive Anschlüsse'],
  activations: ['Activations this month', 'Aktivierungen diesen Monat'],
  lastMonth: [(count: string) => `${count} last month`, (count) => `${count} im Vormonat`],
  toMerge: ['Nodes waiting for a merge', 'Knoten im Entwurf'],
  trend: ['Activations and deactivations in twelve months', 'Aktivierungen und Deaktivierungen in zwölf Monaten'],
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

/** Loaded on demand, since not everybody invoices. */
const BillingToday = lazy(() => import('./billing-today.js'));
/** How many of the imports of the last day are named. */
const MOST_IMPORTS = 5;
/** How many relations the service returns at most. */
const MOST_WAITING = 10;
const STATES = ['active', 'inactive', 'announced'] as const;

/** An overview: four figures, the trend of a year, pending tasks, and webhooks that fail. */
export function HomePage() {
  const t = texts();
  const { fibre } = useApp();
  const { route } = useLocation();
  const scopes = useScopes();
  const pages = menuFor(scopes).flatMap((entry) => entry.children ?? [entry]);
  // For a person with nothing to overview, such as one from an ISP, it would be a detour.
  const first = scopes.has('coverage:read') || scopes.has('events:read') ? undefined : pages[0]?.path;
  useEffect(() => {
    if (first !== undefined) route(page(first), true);
  }, [first]);
  const coverage = useOverview('coverage:read', (signal) => fibre.coverage.overview({ signal }));
  const events = useOverview('events:read', async (signal) => {
    const [overview, trend] = await Promise.all([fibre.entities.overview({ signal }), fibre.entities.trend({}, { signal })]);
    return { ...overview, trend };
  });
  const steps = [
    [t.firstRelation, 'relations/new', coverage.data && coverage.data.relations.count > 0],
    [
      t.firstImport,
      'coverage?target=prenodes&panel=files',
      coverage.data && COLLECTIONS.some((target) => TOKENS.some((token) => coverage.data![target][token].count > 0)),
    ],
    [t.firstActivation, 'entities/new', events.data && STATES.some((state) => events.data!.entities[state].count > 0)],
  ] as const;
  const known = steps.filter(([, , isDone]) => isDone !== undefined);
  const waiting = TOKENS.flatMap((token) => coverage.data?.prenodes[token] ?? []);
  const failing = useWebhooks().data?.filter(isInTrouble) ?? [];
  // What takes more requests comes after what everybody looks at.
  const isQuiet = !coverage.isLoading && !events.isLoading;
  const mayClose = useScope('closings:write', 'events:write');
  const imports = coverage.data?.imports.slice(0, MOST_IMPORTS) ?? [];
  const [lastMonth, thisMonth] = events.data?.trend.slice(-2) ?? [];
  return (
    <Page title={t.title}>
      {known.some(([, , isDone]) => !isDone) && (
        <Section title={t.steps}>
          <ol class="steps">
            {known.map(([name, path, isDone]) => (
              <li key={path}>
                {isDone ? `✓ ${name}` : <a href={page(path)}>{name}</a>}
                {isDone && <span class="visually-hidden"> {t.done}</span>}
              </li>
            ))}
          </ol>
        </Section>
      )}
      <dl class="figures">
        {coverage.data && (
          <Figure title={t.inOperation} path="coverage?token=operation" count={coverage.data.nodes.operation}>
            {coverage.data.connected.count > 0 && (
              <a href={page('coverage?connected=true&panel=list')}>{t.connected(formatCount(coverage.data.connected))}</a>
            )}
          </Figure>
        )}
        {events.data && <Figure title={t.activeEntities} path="entities?state=active" count={events.data.entities.active} />}
        {lastMonth && thisMonth && (
          <Figure title={t.activations} count={{ count: thisMonth.activations }}>
            {t.lastMonth(formatNumber(lastMonth.activations))}
          </Figure>
        )}
        {waiting.length > 0 && <Figure title={t.toMerge} path="coverage?target=prenodes&panel=list" count={sumOf(waiting)} />}
      </dl>
      <div class="overview">
        <WhenLoaded loaded={events}>
          {({ trend }) =>
            trend.some(({ activations, deactivations }) => activations + deactivations > 0) && (
              <Section title={t.trend}>
                <TrendChart months={trend} label={t.trend} />
              </Section>
            )
          }
        </WhenLoaded>
        {mayClose && isQuiet && <BillingToday />}
        {failing.length > 0 && (
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
        )}
        {imports.length > 0 && (
          <Section title={t.imports}>
            <ul class="lines">
              {imports.map(({ created_at, created_by, relation_id, name, rows, refused }) => (
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
        )}
        <WhenLoaded loaded={coverage}>
          {({ waiting }) =>
            waiting.length > 0 && (
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
            )
          }
        </WhenLoaded>
      </div>
    </Page>
  );
}

/** A number that matters, and fine print about it. */
function Figure({ title, path, count, children }: { title: string; path?: string; count: Count; children?: ComponentChildren }) {
  return (
    <div>
      <dt class="fine">{title}</dt>
      <dd class="figure">{path === undefined ? formatCount(count) : <a href={page(path)}>{formatCount(count)}</a>}</dd>
      {children && <dd class="fine">{children}</dd>}
    </div>
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

/** Counts from a service, if the person may read them. */
function useOverview<T>(scope: Scope, read: (signal: AbortSignal) => PromiseLike<T>) {
  const mayRead = useScope(scope);
  return useLoad<T | undefined>(async (signal) => (mayRead ? read(signal) : undefined), String(mayRead));
}
