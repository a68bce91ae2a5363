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
      show(response, 400, textsFor(request), textsFor(request).expired, `<p>${textsFor(request).again}</p>`),
    );
  };
}

async function answer(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await provider.interactionDetails(request, response);
  const t = textsFor(request);
  if (request.method !== 'POST') return show(response, 200, t, t.signIn, form(t));
  const said = new URLSearchParams(await text(request));
  const [email, password] = [said.get('email') ?? '', said.get('password')];
  if (!demoPerson(email) || password !== DEMO_PASSWORD) return show(response, 401, t, t.signIn, form(t, `<p role="alert">${t.wrong}</p>`));
  await provider.interactionFinished(request, response, { login: { accountId: email } });
}

const TEXTS = {
  en: {
    language: 'en',
    signIn: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    wrong: 'The e-mail address or password is wrong.',
    people: 'For development. Demo people, all with the password',
    of: 'of',
    expired: 'This sign-in has expired',
    again: 'Go back to the portal and start again.',
  },
  de: {
    language: 'de',
    signIn: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    people: 'Für die Entwicklung. Beispielpersonen, alle mit dem Passwort',
    of: 'bei',
    expired: 'Diese Anmeldung ist abgelaufen',
    again: 'Gehen Sie zurück zum Portal, und beginnen Sie von vorn.',
  },
};
type Texts = (typeof TEXTS)['en'];

/** The texts in the browser's first language, as the portal chooses it. */
const textsFor = ({ headers }: IncomingMessage): Texts => (/^de\b/i.test(headers['accept-language'] ?? '') ? TEXTS.de : TEXTS.en);

const form = (t: Texts, message = ''): string => `${message}
  <form method="post">
    <label>${t.email} <input name="email" type="email" autocomplete="username" required autofocus></label>
    <label>${t.password} <input name="password" type="password" autocomplete="current-password" required></label>
    <button>${t.signIn}</button>
  </form>
  <p>${t.people} <code>${DEMO_PASSWORD}</code>:</p>
  <ul>${DEMO_PEOPLE.map(({ email, tenant }) => `<li><code>${email}</code> ${t.of} ${tenant}</li>`).join('')}</ul>`;

/** The brand and the colours of the portal. */
const BRAND = `<svg width="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b6b62"/>
  <g fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"><path d="M8 24C8 15 16 17 16 8M16 24V8M24 24c0-9-8-7-8-16"/></g></svg>`;

const STYLE = `
  :root {
    color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif;
    background: light-dark(#f6f7f6, #141817); color: light-dark(#1a2220, #e6ebe9)
  }
  main { max-width: 24rem; margin: 12vh auto 0; padding: 0 1rem }
  header { display: flex; gap: .6rem; align-items: center; font-weight: 620 }
  section { margin: 1rem 0; padding: 1.4rem; border: 1px solid light-dark(#dde2e0, #323b38); border-radius: .8rem; background: light-dark(#fff, #1c2220) }
  h1 { margin: 0 0 1rem; font-size: 1.6rem; font-weight: 620; letter-spacing: -.01em }
  form { display: grid; gap: 1rem; margin-bottom: 1.5rem }
  label { display: grid; gap: .25rem; font-weight: 560 }
  input, button { min-height: 2.5rem; padding: .4rem .7rem; border: 1px solid #7d8a86; border-radius: .45rem; font: inherit }
  input { background: light-dark(#fff, #1c2220); color: inherit }
  button { border-color: transparent; background: light-dark(#0b6b62, #5fc4b7); color: light-dark(#fff, #0b1f1c); font-weight: 500; cursor: pointer }
  p, ul { color: light-dark(#55605d, #a3b0ac); font-size: .9rem }
  [role=alert] { color: light-dark(#a82525, #f19a94) }
  ul { padding-left: 1.2rem }`;

function show(response: ServerResponse, status: number, { language }: Texts, title: string, body: string): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  };
  response.writeHead(status, headers);
  response.end(
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
      `<title>${title} · Open Access Fibre</title><style>${STYLE}</style>` +
      `<main><header>${BRAND}Open Access Fibre</header><section><h1>${title}</h1>${body}</section></main></html>`,
  );
}
