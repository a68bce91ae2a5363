import { useLocation } from 'preact-iso';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { page } from '../../configuration.js';
import { mayLeave } from '../../hooks/leaving.js';
import { type Found, useFound } from './find.js';
import { texts } from './find-texts.js';

/** Milliseconds without a key press after which suggestions are loaded. */
const PAUSE_MS = 150;

/** Finds any record or place. Pressing `/` moves the focus here, unless the focus is in an input. */
export function FindBox() {
  const t = texts();
  const { route } = useLocation();
  const [input, list] = [useRef<HTMLInputElement>(null), useId()];
  const [typed, setTyped] = useState('');
  const [sought, setSought] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<number>();
  const { found, isLoading, away } = useFound(sought);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = (event.target as Element).closest('input, select, textarea, dialog') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => setSought(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => setActive(undefined), [sought]);

  const isShown = isOpen && sought !== '' && sought === typed.trim() && (found.length > 0 || away.length > 0);
  const go = (path: string): void => {
    if (!mayLeave()) return;
    setTyped('');
    setSought('');
    setOpen(false);
    route(page(path));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && isShown && found.length > 0) {
      event.preventDefault();
      // One position is the input itself.
      const positions = found.length + 1;
      const next = ((active ?? -1) + 1 + step + positions) % positions;
      setActive(next === 0 ? undefined : next - 1);
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      setOpen(false);
      setActive(undefined);
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const chosen = isShown && active !== undefined ? found[active] : undefined;
    if (chosen) go(chosen.path);
    else if (typed.trim() !== '') go(`find?q=${encodeURIComponent(typed.trim())}`);
  };
  const option = (index: number): string => `${list}-${index}`;
  return (
    <form class="find" role="search" onSubmit={submit}>
      <input
        ref={input}
        type="text"
        enterKeyHint="search"
        role="combobox"
        aria-label={t.label}
        aria-autocomplete="list"
        aria-expanded={isShown && found.length > 0}
        aria-controls={list}
        aria-activedescendant={isShown && active !== undefined ? option(active) : undefined}
        placeholder={t.key}
        autoComplete="off"
        maxLength={255}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div class="suggestions" hidden={!isShown}>
        <ul id={list} role="listbox" aria-label={t.results} hidden={found.length === 0}>
          {found.map((one, index) => (
            // The focus stays in the input, which would otherwise close the list before the click.
            <li
              key={one.path}
              id={option(index)}
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => go(one.path)}
            >
              <FoundLine {...one} />
            </li>
          ))}
        </ul>
        {away.length > 0 && <p class="fine">{t.away(away.join(', '))}</p>}
      </div>
      <p class="visually-hidden" role="status">
        {isOpen && sought !== '' && !isLoading && `${t.count(found.length)}${away.length > 0 ? `. ${t.away(away.join(', '))}` : ''}`}
      </p>
    </form>
  );
}

/** A result in one line. */
export function FoundLine({ kind, name, matched }: Found) {
  return (
    <>
      <bdi class="clipped">{name}</bdi>
      <span class="fine">
        {texts()[kind]}
        {matched && ` · ${matched}`}
      </span>
    </>
  );
}
