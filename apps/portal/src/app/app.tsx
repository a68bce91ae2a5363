import { ErrorBoundary, Route, Router } from 'preact-iso';
import { page } from '../configuration.js';
import { isFor, PAGES } from '../pages/index.js';
import { useScopes } from '../session/context.js';
import { defineTexts } from '../texts.js';
import { Header } from './header.js';
import { HomePage } from './home-page.js';
import { NoAccessPage, NotFoundPage } from './not-found-page.js';
import { Announcements } from '../ui/announcements.js';
import { SessionEnded } from './session-ended.js';

const texts = defineTexts({ skip: ['Skip to the content', 'Zum Inhalt springen'] });

export function App() {
  const scopes = useScopes();
  return (
    <>
      <a class="skip-link button primary" href="#content">
        {texts().skip}
      </a>
      <Header />
      <main id="content" tabIndex={-1}>
        <ErrorBoundary onError={(error) => console.error(error)}>
          <Router>
            <Route path={page('')} component={HomePage} />
            {PAGES.map((one) => (
              <Route key={one.path} path={page(one.path)} component={isFor(scopes, one) ? one.component : NoAccessPage} />
            ))}
            <Route default component={NotFoundPage} />
          </Router>
        </ErrorBoundary>
      </main>
      <SessionEnded />
      <Announcements />
    </>
  );
}
