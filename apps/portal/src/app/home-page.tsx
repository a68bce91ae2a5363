import { COLLECTIONS, TOKENS } from '@fibre/client';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { page, type Scope } from '../configuration.js';
import { useLoad } from '../hooks/use-load.js';
import { menuFor } from '../pages/index.js';
import { useApp, useScope, useScopes } from '../session/context.js';
import { formatCount, formatNumber, formatTime } from '../texts.js';
import { Page } from '../ui/page.js';
import { Section } from '../ui/section.js';
import { WhenLoaded } from '../ui/when-loaded.js';
import { texts } from './home-texts.js';

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
  const steps = [
    [t.firstRelation, 'relations/new', coverage.data && coverage.data.relations > 0],
    [
      t.firstImport,
      'coverage?target=prenodes&panel=files',
      coverage.data && COLLECTIONS.some((target) => TOKENS.some((token) => coverage.data![target][token] > 0)),
    ],
    [t.firstActivation, 'entities/new', events.data && STATES.some((state) => events.data!.entities[state] > 0)],
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
                            <a href={page(`coverage?target=${target}&token=${token}`)}>{formatCount(counts[target][token])}</a>
                          </td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Section>
              <Section title={t.waiting}>
                {waiting.length === 0 && <p class="fine">{t.noneWaiting}</p>}
                <ul class="lines">
                  {waiting.map(({ relation_id, name, prenodes }) => (
                    <li key={relation_id}>
                      <bdi class="clipped">{name}</bdi>
                      <a href={page(`coverage?target=prenodes&panel=bulk&relation_id=${relation_id}`)}>{t.merge(formatCount(prenodes))}</a>
                    </li>
                  ))}
                </ul>
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

/** The numbers of a service, for people who may read them. */
function useOverview<T>(scope: Scope, read: (signal: AbortSignal) => PromiseLike<T>) {
  const mayRead = useScope(scope);
  return useLoad<T | undefined>(async (signal) => (mayRead ? read(signal) : undefined), String(mayRead));
}
