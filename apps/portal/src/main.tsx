import { FibreClient } from '@fibre/client';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { App } from './app/app.js';
import { AppProvider } from './session/context.js';
import { OutsidePage } from './app/outside-pages.js';
import { BASE, loadConfiguration, page } from './configuration.js';
import { guardLeaving } from './hooks/leaving.js';
import { takeKept } from './session/known.js';
import { Session } from './session/session.js';
import { language } from './texts.js';
import './styles/index.css';

const root = document.getElementById('app')!;

language.subscribe((value) => (document.documentElement.lang = value));
await start().catch((error: unknown) => {
  console.error(error);
  render(<OutsidePage why="failed" />, root);
});

async function start(): Promise<void> {
  const here = location.pathname;
  if (here === page('signed-out')) return render(<OutsidePage why="signedOut" />, root);
  const known = here === page('signed-in') ? takeKept() : undefined;
  const configuration = known?.configuration ?? (await loadConfiguration());
  const session = new Session(configuration, known?.metadata);
  if (here === page('signed-in-again')) return session.signedInAgain();
  if (here !== page('signed-in')) return session.signIn(location.pathname + location.search + location.hash);

  history.replaceState(null, '', await session.signedIn());
  guardLeaving();
  const fibre = new FibreClient({
    coverageUrl: configuration.coverage_url,
    eventsUrl: configuration.events_url,
    token: (refused) => session.accessToken(refused),
    // No retries: people are waiting, so a page says immediately what is wrong and when to try again.
    retries: 0,
  });
  render(
    <AppProvider value={{ configuration, session, fibre }}>
      <LocationProvider scope={BASE}>
        <App />
      </LocationProvider>
    </AppProvider>,
    root,
  );
  session.person.subscribe((person) => person ?? render(<OutsidePage why="signedOut" />, root));
}
