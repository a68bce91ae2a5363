import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { page } from '../configuration.js';
import { menuFor } from '../pages/index.js';
import { defineTexts } from '../texts.js';
import { Page } from '../ui/page.js';
import { useApp, useScopes } from '../session/context.js';

const texts = defineTexts(
  { title: 'Overview', welcome: (name: string) => `Welcome, ${name}.` },
  { title: 'Übersicht', welcome: (name: string) => `Willkommen, ${name}.` },
);

export function HomePage() {
  const t = texts();
  const { session } = useApp();
  const { route } = useLocation();
  const scopes = useScopes();
  const pages = menuFor(scopes).flatMap((entry) => entry.children ?? [entry]);
  const only = pages.length === 1 ? pages[0]?.path : undefined;
  // An overview of one page is a detour.
  useEffect(() => {
    if (only !== undefined) route(page(only), true);
  }, [only]);
  return (
    <Page title={t.title}>
      <p>{t.welcome(session.person.value?.name ?? '')}</p>
      <ul class="cards">
        {pages.map(({ path, title, summary }) => (
          <li key={path}>
            <a href={page(path)}>
              <strong>{title()}</strong>
              <span>{summary()}</span>
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}
