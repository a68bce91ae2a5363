import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { createClient } from './api/client.js';
import { App } from './app/app.js';
import { AppProvider } from './session/context.js';
import { SignedOutPage, StartFailedPage } from './app/outside-pages.js';
import { BASE, loadConfiguration, page } from './configuration.js';
import { guardLeaving } from './hooks/unsaved.js';
import { Session } from './session/session.js';
import { applyTheme } from './theme.js';
import './styles/index.css';

const root = document.getElementById('app')!;

applyTheme();
await start().catch((error: unknown) => {
  console.error(error);
  render(<StartFailedPage />, root);
});

async function start(): Promise<void> {
  const here = location.pathname;
  if (here === page('signed-out')) return render(<SignedOutPage />, root);
  const configuration = await loadConfiguration();
  const session = new Session(configuration);
  if (here === page('signed-in-again')) return session.signedInAgain();
  if (here !== page('signed-in')) return session.signIn(location.pathname + location.search + location.hash);

  history.replaceState(null, '', await session.signedIn());
  guardLeaving();
  render(
    <AppProvider value={{ configuration, session, fibre: createClient(configuration, session) }}>
      <LocationProvider scope={BASE}>
        <App />
      </LocationProvider>
    </AppProvider>,
    root,
  );
  session.person.subscribe((person) => person ?? render(<SignedOutPage />, root));
}
