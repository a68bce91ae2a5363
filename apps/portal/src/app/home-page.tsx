import { page } from '../configuration.js';
import { MENU } from '../pages/index.js';
import { defineTexts } from '../texts.js';
import { Page } from '../ui/page.js';
import { useApp } from '../session/context.js';

const texts = defineTexts(
  { title: 'Overview', welcome: (name: string) => `Welcome, ${name}.` },
  { title: 'Übersicht', welcome: (name: string) => `Willkommen, ${name}.` },
);

export function HomePage() {
  const t = texts();
  const { session } = useApp();
  const pages = MENU.flatMap((entry) => entry.children ?? [entry]);
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
