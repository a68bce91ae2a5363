import { useLocation } from 'preact-iso';
import { useEffect, useId, useState } from 'preact/hooks';
import { page } from '../../configuration.js';
import { mayLeave } from '../../hooks/leaving.js';
import { type Found, LEAST, meantBy, useFound } from './find.js';
import { fieldTexts, texts } from './find-texts.js';

/** Number of suggestions that a key moves on by. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Finds any record or place. */
export function FindBox() {
  const t = texts();
  const { route } = useLocation();
  const list = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  // 0 is the input itself.
  const [active, setActive] = useState(0);
  /** Enter was pressed, perhaps before all had answered. */
  const [isAwaited, setAwaited] = useState(false);
  const text = typed.trim();
  const { found, isLoading, away } = useFound(text);
  const isShown = isOpen && text.length >= LEAST && (found.length > 0 || !isLoading);
  const change = (value: string, isOpen: boolean): void => {
    setTyped(value);
    setOpen(isOpen);
    setActive(0);
    setAwaited(false);
  };
  const go = (path: string): void => {
    setAwaited(false);
    if (!mayLeave()) return;
    change('', false);
    route(page(path));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (!isShown || (step === undefined && event.key !== 'Escape')) return;
    event.preventDefault();
    if (step === undefined) return change(typed, false);
    setAwaited(false);
    const positions = found.length + 1;
    setActive((active + step + positions) % positions);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    setOpen(true);
    setAwaited(true);
  };
  useEffect(() => {
    const chosen = found[active - 1] ?? (isLoading ? undefined : meantBy(found));
    if (isAwaited && chosen) go(chosen.path);
  }, [isAwaited, isLoading]);
  const mustChoose = isAwaited && !isLoading && found.length > 0;
  const said = [t.count(found.length), ...(mustChoose ? [t.choose] : []), ...(away.length > 0 ? [t.away(away.join(', '))] : [])];
  return (
    <form class="find" role="search" onSubmit={submit}>
      <input
        type="text"
        enterKeyHint="search"
        role="combobox"
        aria-label={t.label}
        aria-autocomplete="list"
        aria-expanded={isShown && found.length > 0}
        aria-controls={list}
        aria-activedescendant={isShown && active > 0 ? `${list}-${active}` : undefined}
        placeholder={t.find}
        autoComplete="off"
        maxLength={255}
        value={typed}
        onInput={({ currentTarget }) => change(currentTarget.value, true)}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div class="suggestions" hidden={!isShown}>
        <ul id={list} role="listbox" aria-label={t.results} hidden={found.length === 0}>
          {found.map((one, index) => (
            // The focus stays in the input, which would otherwise close the list before the click.
            <li
              key={one.path}
              id={`${list}-${index + 1}`}
              role="option"
              aria-selected={index + 1 === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => go(one.path)}
            >
              <FoundLine {...one} />
            </li>
          ))}
        </ul>
        {mustChoose && <p class="fine">{t.choose}</p>}
        {found.length === 0 && (
          <p class="fine">
            {t.none(text)} {t.how}
          </p>
        )}
        {away.length > 0 && <p class="fine">{t.away(away.join(', '))}</p>}
      </div>
      <p class="visually-hidden" role="status">
        {isShown && !isLoading && said.join('. ')}
      </p>
    </form>
  );
}

/** A result in one line. */
export function FoundLine({ kind, name, matched }: Found) {
  const fields: Readonly<Record<string, string>> = fieldTexts();
  return (
    <>
      <bdi>{name}</bdi>
      <span class="fine">
        {texts()[kind]}
        {matched && ` · ${kind === 'place' ? matched : (fields[matched] ?? matched)}`}
      </span>
    </>
  );
}
