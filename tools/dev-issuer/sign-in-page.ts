import { type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Provider } from 'oidc-provider';
import { DEMO_PASSWORD, DEMO_PEOPLE, demoPerson } from './demo-accounts.js';

/** Path of the sign-in page, followed by the id of the interaction. */
export const SIGN_IN_PATH = '/sign-in/';

/** The sign-in page. Returns `undefined` for other requests. */
export function signInPage(provider: Provider): (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined {
  return (request, response) => {
    if (!request.url?.startsWith(SIGN_IN_PATH)) return undefined;
    return answer(provider, request, response).catch(() =>
      // The interaction has ended or never began: there is no cookie.
      show(response, 400, 'This sign-in has expired', '<p>Go back to the portal and start again.</p>'),
    );
  };
}

async function answer(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await provider.interactionDetails(request, response);
  if (request.method !== 'POST') return show(response, 200, 'Sign in', form());
  const said = new URLSearchParams(await text(request));
  const [email, password] = [said.get('email') ?? '', said.get('password')];
  if (!demoPerson(email) || password !== DEMO_PASSWORD) {
    return show(response, 401, 'Sign in', form('<p role="alert">The e-mail address or password is wrong.</p>'));
  }
  await provider.interactionFinished(request, response, { login: { accountId: email } });
}

const form = (message = ''): string => `${message}
  <form method="post">
    <label>E-mail <input name="email" type="email" autocomplete="username" required autofocus></label>
    <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
    <button>Sign in</button>
  </form>
  <p>For development. Demo people, all with the password <code>${DEMO_PASSWORD}</code>:</p>
  <ul>${DEMO_PEOPLE.map(({ email, tenant }) => `<li><code>${email}</code> of ${tenant}</li>`).join('')}</ul>`;

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  main { max-width: 22rem; margin: 15vh auto 0; padding: 0 1rem }
  h1 { font-size: 1.5rem; font-weight: 620 }
  form { display: grid; gap: 1rem; margin-bottom: 2rem }
  label { display: grid; gap: .25rem }
  input, button { font: inherit; padding: .5rem .7rem; border: 1px solid #7d8a86; border-radius: .45rem }
  button { border-color: #0b6b62; background: #0b6b62; color: #fff; cursor: pointer }
  [role=alert] { color: light-dark(#a82525, #f19a94) }
  ul { padding-left: 1.2rem }`;

function show(response: ServerResponse, status: number, title: string, body: string): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  };
  response.writeHead(status, headers);
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
      `<title>${title} · development issuer</title><style>${STYLE}</style><main><h1>${title}</h1>${body}</main></html>`,
  );
}
