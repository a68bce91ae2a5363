import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { page } from '../../configuration.js';
import { Failure, Loading } from '../../ui/failure.js';
import { Page } from '../../ui/page.js';
import { useFound } from './find.js';
import { FoundLine } from './find-box.js';
import { texts } from './find-texts.js';

/** The results of the search box in the header. If there is only one, it is opened. */
export function FindPage() {
  const t = texts();
  const { query, route } = useLocation();
  const text = (query['q'] ?? '').trim();
  const { found, isLoading, away, reload } = useFound(text);
  const only = found.length === 1 && !isLoading && away.length === 0 ? found[0] : undefined;
  useEffect(() => {
    if (only) route(page(only.path), true);
  }, [only?.path]);
  return (
    <Page title={t.title}>
      {isLoading && <Loading />}
      {away.length > 0 && <Failure error={undefined} title={t.away(away.join(', '))} onRetry={reload} />}
      {found.length === 0 && !isLoading && (
        <div class="empty" role="status">
          {text !== '' && <p>{t.none(text)}</p>}
          <p>{t.how}</p>
        </div>
      )}
      <ul class="lines section" hidden={found.length === 0}>
        {found.map((one) => (
          <li key={one.path}>
            <a class="row" href={page(one.path)}>
              <FoundLine {...one} />
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}
