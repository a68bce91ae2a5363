import { COLLECTIONS, TOKENS } from '@fibre/client';
import type { ComponentChildren } from 'preact';
import { lazy, useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { page, type Scope } from '../configuration.js';
import { awaited } from '../hooks/arrival.js';
import { useLoad } from '../hooks/use-load.js';
import { menuFor } from '../pages/index.js';
import { useApp, useScope, useScopes } from '../session/context.js';
import { type Count, defineTexts, formatCount, formatNumber, sumOf } from '../texts.js';
import { Page, Section } from '../ui/page.js';
import { WhenLoaded } from '../ui/when-loaded.js';
import { FailingWebhooks, LastImports, WaitingRelations } from './tasks.js';
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
  refused: ['Events refused in seven days', 'In sieben Tagen abgelehnte Ereignisse'],
  trend: ['Activations and deactivations in twelve months', 'Aktivierungen und Deaktivierungen in zwölf Monaten'],
});

/** Loaded on demand, since not everybody invoices. */
const BillingToday = lazy(() => awaited(import('./billing-today.js')));
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
  const refused = events.data?.refused_events;
  // What takes more requests comes after what everybody looks at.
  const isQuiet = !coverage.isLoading && !events.isLoading;
  const mayClose = useScope('closings:write', 'events:write');
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
        {refused && refused.count > 0 && <Figure title={t.refused} path="events/refused" count={refused} />}
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
        <FailingWebhooks />
        {coverage.data && <LastImports imports={coverage.data.imports} />}
        <WhenLoaded loaded={coverage}>{({ waiting }) => <WaitingRelations waiting={waiting} />}</WhenLoaded>
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

/** Counts from a service, if the person may read them. */
function useOverview<T>(scope: Scope, read: (signal: AbortSignal) => PromiseLike<T>) {
  const mayRead = useScope(scope);
  return useLoad<T | undefined>(async (signal) => (mayRead ? read(signal) : undefined), String(mayRead));
}
