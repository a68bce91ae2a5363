import { TOKENS } from '@fibre/client';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { page, type Scope } from '../configuration.js';
import { useLoad } from '../hooks/use-load.js';
import { menuFor } from '../pages/index.js';
import { useApp, useScope, useScopes } from '../session/context.js';
import { formatEstimate, formatNumber, formatTime } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { Loading } from '../ui/table.js';
import { texts } from './home-texts.js';

/** Up to this number the services count exactly. */
const EXACT = 10_000;
const numberOf = (count: number): string => (count > EXACT ? texts().about(formatEstimate(count)) : formatNumber(count));
const COLLECTIONS = ['nodes', 'prenodes'] as const;
const STATES = ['active', 'inactive', 'announced'] as const;

/** An overview in numbers, and what is waiting to be done. */
export function HomePage() {
  const t = texts();
  const { fibre, session } = useApp();
  const { route } = useLocation();
  const scopes = useScopes();
  const pages = menuFor(scopes).flatMap((entry) => entry.children ?? [entry]);
  const only = pages.length === 1 ? pages[0]?.path : undefined;
  // With only one page, an overview would be a detour.
  useEffect(() => {
    if (only !== undefined) route(page(only), true);
  }, [only]);
  const coverage = useOverview('coverage:read', (signal) => fibre.coverage.overview({ signal }));
  const events = useOverview('events:read', (signal) => fibre.entities.overview({ signal }));
  const isEmpty = (counts?: object): boolean => counts !== undefined && Object.values(counts).every((count) => count === 0);
  const steps = [
    [t.firstRelation, 'relations/new', coverage.data && coverage.data.relations > 0],
    [
      t.firstImport,
      'coverage?target=prenodes&panel=files',
      coverage.data && !(isEmpty(coverage.data.nodes) && isEmpty(coverage.data.prenodes)),
    ],
    [t.firstActivation, 'entities/new', events.data && !isEmpty(events.data.entities)],
  ] as const;
  const known = steps.filter(([, , isDone]) => isDone !== undefined);
  return (
    <Page title={t.title}>
      <p>{t.welcome(session.person.value?.name ?? '')}</p>
      {known.some(([, , isDone]) => !isDone) && (
        <section class="section">
          <h2>{t.steps}</h2>
          <ol class="steps">
            {known.map(([name, path, isDone]) => (
              <li key={path}>
                {isDone ? `✓ ${name}` : <a href={page(path)}>{name}</a>}
                {isDone && <span class="visually-hidden"> {t.done}</span>}
              </li>
            ))}
          </ol>
        </section>
      )}
      {(coverage.isLoading || events.isLoading) && <Loading />}
      <div class="overview">
        {[coverage, events].map(
          ({ error, reload }, index) => error !== undefined && <Failure key={index} error={error} onRetry={reload} />,
        )}
        {coverage.data && (
          <section class="section">
            <h2>{t.accessNodes}</h2>
            <table class="numbers">
              <thead>
                <tr>
                  <td />
                  {COLLECTIONS.map((target) => (
                    <th key={target} scope="col">
                      {t[target]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {TOKENS.map((token) => (
                  <tr key={token}>
                    <th scope="row">{t[token]}</th>
                    {COLLECTIONS.map((target) => (
                      <td key={target} data-title={t[target]}>
                        <a href={page(`coverage?target=${target}&token=${token}`)}>{numberOf(coverage.data![target][token])}</a>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
        {coverage.data && (
          <section class="section">
            <h2>{t.waiting}</h2>
            {coverage.data.waiting.length === 0 && <p class="fine">{t.noneWaiting}</p>}
            <ul class="lines">
              {coverage.data.waiting.map(({ relation_id, name, prenodes }) => (
                <li key={relation_id}>
                  <bdi class="clipped">{name}</bdi>
                  <a href={page(`coverage?target=prenodes&panel=relation&relation_id=${relation_id}`)}>{t.merge(numberOf(prenodes))}</a>
                </li>
              ))}
            </ul>
          </section>
        )}
        {events.data && (
          <section class="section">
            <h2>{t.entities}</h2>
            <ul class="lines">
              {STATES.map((state) => (
                <li key={state}>
                  {t[state]} <a href={page(`entities?state=${state}`)}>{numberOf(events.data!.entities[state])}</a>
                </li>
              ))}
              <li>
                {t.eventsOfDay} <a href={page('events?token=fresh')}>{numberOf(events.data.events_of_last_day)}</a>
              </li>
            </ul>
          </section>
        )}
        {coverage.data && (
          <section class="section">
            <h2>{t.imports}</h2>
            {coverage.data.imports.length === 0 && <p class="fine">{t.noImports}</p>}
            <ul class="lines">
              {coverage.data.imports.map(({ created_at, rows, created, updated, refused }) => (
                <li key={created_at}>
                  <time dateTime={created_at}>{formatTime(created_at)}</time>
                  <span>{t.imported(...([rows, created, updated, refused].map(formatNumber) as [string, string, string, string]))}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Page>
  );
}

/** The numbers of a service, for people who may read them. */
function useOverview<T>(scope: Scope, read: (signal: AbortSignal) => PromiseLike<T>) {
  const mayRead = useScope(scope);
  return useLoad<T | undefined>(async (signal) => (mayRead ? read(signal) : undefined), String(mayRead));
}
