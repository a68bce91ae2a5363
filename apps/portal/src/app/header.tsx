import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { page } from '../configuration.js';
import { FindBox } from '../pages/find/find-box.js';
import { type MenuEntry, menuFor, titleOf } from '../pages/index.js';
import { defineTexts, language, LANGUAGES } from '../texts.js';
import { Disclosure } from '../ui/disclosure.js';
import { SelectField } from '../ui/form/field.js';
import { useApp, useScopes } from '../session/context.js';
import { Button } from '../ui/button.js';

const texts = defineTexts({
  menu: ['Menu', 'Menü'],
  pages: ['Pages', 'Seiten'],
  account: ['Account and settings', 'Konto und Einstellungen'],
  language: ['Language', 'Sprache'],
  signOut: ['Sign out', 'Abmelden'],
});

/** The icon is in the document already, so it needs no request. */
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href;

export function Header() {
  const t = texts();
  const { url } = useLocation();
  const scopes = useScopes();
  const [isOpen, setOpen] = useState(false);
  // The menu closes after a navigation.
  useEffect(() => setOpen(false), [url]);
  return (
    <header class="header">
      <a class="brand" href={page('')} aria-label="Open Access Fibre">
        <img src={icon} alt="" width="28" height="28" />
        <span>Open Access Fibre</span>
      </a>
      <button type="button" class="menu-button quiet" aria-expanded={isOpen} aria-controls="menu" onClick={() => setOpen(!isOpen)}>
        {t.menu}
      </button>
      <nav id="menu" class={isOpen ? 'menu open' : 'menu'} aria-label={t.pages}>
        <ul>
          {menuFor(scopes).map((entry) => (
            <li key={entry.name}>
              <Entry entry={entry} />
            </li>
          ))}
        </ul>
        {(scopes.has('coverage:read') || scopes.has('events:read')) && <FindBox />}
      </nav>
      <Account />
    </header>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  const { path } = useLocation();
  const title = titleOf(entry);
  if (!entry.children) {
    const href = page(entry.path);
    const isHere = path === href || path.startsWith(`${href}/`);
    return (
      <a href={href} aria-current={isHere ? 'page' : undefined}>
        {title}
      </a>
    );
  }
  return (
    <Disclosure label={title} class="group" isCurrent={entry.children.some((child) => path.startsWith(page(child.path)))}>
      <ul>
        {entry.children.map((child) => (
          <li key={child.path}>
            <Entry entry={child} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function Account() {
  const t = texts();
  const { session } = useApp();
  const person = session.person.value;
  return (
    <Disclosure label={person?.name ?? ''} description={t.account} class="account">
      {person?.tenant && <p class="fine">{person.tenant}</p>}
      <SelectField
        name="language"
        label={t.language}
        value={language.value}
        options={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label, lang: value }))}
        onChange={(value) => (language.value = value as typeof language.value)}
      />
      <Button label={t.signOut} onClick={() => void session.signOut()} />
    </Disclosure>
  );
}
