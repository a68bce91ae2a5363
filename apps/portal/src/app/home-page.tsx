import { COLLECTIONS, TOKENS } from '@fibre/client';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { page, type Scope } from '../configuration.js';
import { listingOf } from '../hooks/use-listing.js';
import { useLoad } from '../hooks/use-load.js';
import { menuFor } from '../pages/index.js';
import { useApp, useScope, useScopes } from '../session/context.js';
import { defineTexts, formatCount, formatNumber, formatTime } from '../texts.js';
import { Page, Section } from '../ui/page.js';
import { WhenLoaded } from '../ui/failure.js';
import { ListingTable } from '../ui/table.js';

const texts = defineTexts({
  title: ['Overview', 'Übersicht'],
  welcome: [(name: string) => `Welcome, ${name}.`, (name) => `Willkommen, ${name}.`],
  steps: ['First steps', 'Erste Schritte'],
  firstRelation: ['Create a relation', 'Eine Relation anlegen'],
  firstImport: ['Import access nodes', 'Zugangsknoten importieren'],
  firstActivation: ['Record the first event of an entity', 'Das erste Ereignis einer Entität erfassen'],
  done: ['(done)', '(erledigt)'],
  stage: ['Stage', 'Ausbaustufe'],
  waiting: ['Waiting for a merge', 'Wartet auf die Übernahme'],
  noneWaiting: ['No relation has nodes in pre-production.', 'Keine Relation hat Knoten in Vorproduktion.'],
  noRelation: [(start: string) => `no relation (${start}…)`, (start) => `keine Relation (${start}…)`],
  limited: [(count: number) => `Only ${count} of them are listed.`, (count) => `Es werden nur ${count} angezeigt.`],
  merge: [(count: string) => `Merge ${count}`, (count) => `${count} übernehmen`],
  eventsOfDay: ['Events in the last 24 hours', 'Ereignisse der letzten 24 Stunden'],
  imports: ['Imports in the last 24 hours', 'Importe der letzten 24 Stunden'],
  noImports: ['None.', 'Keine.'],
  imported: [
    (rows: string, created: string, updated: string, refused: string) =>
      `${rows} rows: ${created} new, ${updated} changed, ${refused} rejected`,
    (rows, created, updated, refused) => `${rows} Zeilen: ${created} neu, ${updated} geändert, ${refused} abgelehnt`,
  ],
});

/** How many relations the service returns at most. */
const MOST_WAITING = 10;
const STATES = ['active', 'inactive', 'announced'] as const;

/** An overview with counts and pending tasks. */
export function HomePage() {
  const t = texts();
  const { fibre, session } = useApp();
  const { route } = useLocation();
  const scopes = useScopes();
  const pages = menuFor(scopes).flatMap((entry) => entry.children ?? [entry]);
  // For a person with nothing to overview, such as one from an ISP, it would be a detour.
  const first = scopes.has('coverage:read') || scopes.has('events:read') ? undefined : pages[0]?.path;
  useEffect(() => {
    if (first !== undefined) route(page(first), true);
  }, [first]);
  const coverage = useOverview('coverage:read', (signal) => fibre.coverage.overview({ signal }));
  const events = useOverview('events:read', (signal) => fibre.entities.overview({ signal }));
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
  return (
    <Page title={t.title}>
      <p>{t.welcome(session.person.value?.name ?? '')}</p>
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
      <div class="overview">
        <WhenLoaded loaded={coverage}>
          {({ waiting, imports, ...counts }) => (
            <>
              <Section title={t.accessNodes}>
                <ListingTable
                  listing={listingOf(TOKENS)}
                  caption={t.accessNodes}
                  columns={[
                    { title: t.stage, cell: (token) => t[token] },
                    ...COLLECTIONS.map((target) => ({
                      title: t[target],
                      cell: (token: (typeof TOKENS)[number]) => (
                        <a href={page(`coverage?target=${target}&token=${token}`)}>{formatCount(counts[target][token])}</a>
                      ),
                    })),
                  ]}
                  keyOf={(token) => token}
                  empty={null}
                />
              </Section>
              <Section title={t.waiting}>
                {waiting.length === 0 && <p class="fine">{t.noneWaiting}</p>}
                <ul class="lines">
                  {waiting.map(({ relation_id, name, prenodes }) => (
                    <li key={relation_id}>
                      {name === undefined ? (
                        <a href={page(`relations/${relation_id}`)}>{t.noRelation(relation_id.slice(0, 8))}</a>
                      ) : (
                        <bdi class="clipped">{name}</bdi>
                      )}
                      <a href={page(`coverage?target=prenodes&panel=bulk&relation_id=${relation_id}`)}>{t.merge(formatCount(prenodes))}</a>
                    </li>
                  ))}
                </ul>
                {waiting.length === MOST_WAITING && <p class="fine">{t.limited(MOST_WAITING)}</p>}
              </Section>
              <Section title={t.imports}>
                {imports.length === 0 && <p class="fine">{t.noImports}</p>}
                <ul class="lines">
                  {imports.map(({ created_at, rows, created, updated, refused }) => (
                    <li key={created_at}>
                      <time dateTime={created_at}>{formatTime(created_at)}</time>
                      <span>
                        {t.imported(...([rows, created, updated, refused].map(formatNumber) as [string, string, string, string]))}
                      </span>
                    </li>
                  ))}
                </ul>
              </Section>
            </>
          )}
        </WhenLoaded>
        <WhenLoaded loaded={events}>
          {({ entities, events_of_last_day }) => (
            <Section title={t.entities}>
              <ul class="lines">
                {STATES.map((state) => (
                  <li key={state}>
                    {t[state]} <a href={page(`entities?state=${state}`)}>{formatCount(entities[state])}</a>
                  </li>
                ))}
                <li>
                  {t.eventsOfDay} <a href={page('events?token=fresh')}>{formatCount(events_of_last_day)}</a>
                </li>
              </ul>
            </Section>
          )}
        </WhenLoaded>
      </div>
    </Page>
  );
}

/** Counts from a service, if the person may read them. */
function useOverview<T>(scope: Scope, read: (signal: AbortSignal) => PromiseLike<T>) {
  const mayRead = useScope(scope);
  return useLoad<T | undefined>(async (signal) => (mayRead ? read(signal) : undefined), String(mayRead));
}
