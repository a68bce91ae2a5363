import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { page } from '../../configuration.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp, useScopes } from '../../session/context.js';
import { defineTexts } from '../../texts.js';
import { Failure, Loading } from '../../ui/failure.js';
import { Page } from '../../ui/page.js';
import { find } from './find.js';

const texts = defineTexts({
  title: ['Find', 'Finden'],
  none: [
    (text: string) => `No record has ${text} as its ID, name, customer reference, address ID or option82.`,
    (text) => `Kein Eintrag hat ${text} als ID, Namen, Kundenreferenz, Adress-ID oder option82.`,
  ],
  how: ['The whole text must match, and case matters.', 'Verglichen wird der ganze Text, auch Groß- und Kleinschreibung.'],
});

/** The results of the search box in the header. If only one record matches, it is opened. */
export function FindPage() {
  const t = texts();
  const { fibre } = useApp();
  const scopes = useScopes();
  const { query, route } = useLocation();
  const text = (query['q'] ?? '').trim();
  const { data, isLoading, error, reload } = useLoad(
    (signal) => (text === '' ? Promise.resolve([]) : find(fibre, scopes, text, signal)),
    text,
  );
  const [only, second] = data ?? [];
  useEffect(() => {
    if (only && !second) route(page(only.path), true);
  }, [data]);
  return (
    <Page title={t.title}>
      {isLoading && <Loading />}
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {data?.length === 0 && (
        <div class="empty" role="status">
          {text !== '' && <p>{t.none(text)}</p>}
          <p>{t.how}</p>
        </div>
      )}
      <ul class="lines section" hidden={!second}>
        {data?.map(({ kind, name, path }) => (
          <li key={path}>
            {t[kind]}
            <a href={page(path)} class="clipped">
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}
