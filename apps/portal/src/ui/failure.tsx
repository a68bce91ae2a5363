import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Refusal, type Sentences } from '../refusal.js';
import { defineTexts, language } from '../texts.js';
import { Translated } from './translated.js';
import { Button } from './button.js';
import { GERMAN_PROBLEMS } from './german-problems.js';

const texts = defineTexts({
  offline: ['No response', 'Keine Antwort'],
  offlineWhy: [
    'The network or the service is unavailable. If you were saving something, check whether it was saved before you try again.',
    'Das Netz oder der Dienst ist nicht erreichbar. Wenn Sie gerade etwas gespeichert haben, prüfen Sie zuerst, ob es schon gespeichert ist.',
  ],
  busy: ['The service is busy or temporarily unavailable', 'Der Dienst ist überlastet oder vorübergehend nicht erreichbar'],
  busyWhy: ['Nothing was changed.', 'Es wurde nichts geändert.'],
  signedOut: ['You are not signed in', 'Sie sind nicht angemeldet'],
  signedOutWhy: ['Your input is still here. Try signing in again.', 'Ihre Eingaben sind noch da. Versuchen Sie es erneut.'],
  forbidden: ['You are not allowed to do this', 'Ihr Konto hat dafür keine Berechtigung'],
  changed: ['Someone else has changed this in the meantime', 'Das wurde inzwischen von jemand anderem geändert'],
  changedWhy: ['Nothing was saved or deleted.', 'Es wurde nichts gespeichert oder gelöscht.'],
  showSaved: ['Show the saved values', 'Aktuellen Stand anzeigen'],
  notFound: ['Not found', 'Nicht gefunden'],
  unknown: ['Something went wrong', 'Etwas ist schiefgegangen'],
  requestId: [(id: string) => `Request ${id}`, (id) => `Anfrage ${id}`],
  againIn: [(seconds: number) => `Try again (preferably in ${seconds} s)`, (seconds) => `Erneut versuchen (am besten in ${seconds} s)`],
});

/** Says why something failed, and offers to try again. It takes the focus if it appears after a click. */
export function Failure(props: {
  error: unknown;
  /** Replaces the title that belongs to the error. */
  title?: string;
  /** Tries again; without this callback there is no button for it. */
  onRetry?: (() => void) | undefined;
  /** Shows the version that somebody else has saved in the meantime. */
  onOutdated?: (() => void) | undefined;
  takesFocus?: boolean;
  /** A link or button that helps to solve the problem. */
  children?: ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { error } = props;
  useEffect(() => {
    if (props.takesFocus) box.current?.focus();
  }, [error]);
  const t = texts();
  const refusal = error instanceof Refusal ? error : undefined;
  // After a conflict, the hint tells programs what to send.
  const isConflict = refusal !== undefined && [409, 412].includes(refusal.status);
  const hint = props.title === undefined && language.value === 'en' && !isConflict ? refusal?.problem.hint : undefined;
  return (
    <div class="failure" role="alert" tabIndex={-1} ref={box}>
      <Reason of={error} title={props.title} />
      {hint && <p>{hint}</p>}
      {props.children}
      {refusal?.status === 412 && props.onOutdated && <Button label={t.showSaved} onClick={props.onOutdated} />}
      {props.onRetry && !isFinal(refusal) && (
        <Button label={refusal?.retryAfter ? t.againIn(refusal.retryAfter) : t.again} onClick={props.onRetry} />
      )}
      {refusal?.problem.request_id && <p class="fine">{t.requestId(refusal.problem.request_id)}</p>}
    </div>
  );
}

/** Why something failed: what kind of failure it is, and the details. @param title replaces both */
export function Reason({ of: error, title: given }: { of: unknown; title?: string | undefined }) {
  const { title, detail } = given === undefined ? explain(error, texts()) : { title: given };
  return (
    <>
      <p>
        <strong>{title}</strong>
      </p>
      {detail && (
        <p>
          <Translated {...detail} />
        </p>
      )}
    </>
  );
}

/** Whether the same request gets the same refusal, however often it is sent. */
const isFinal = (refusal?: Refusal): boolean => refusal !== undefined && [400, 404, 422].includes(refusal.status);

const sentences = (text: string | undefined, lang?: 'en'): Sentences | undefined => (text ? { text, ...(lang && { lang }) } : undefined);

/** The meaning of the error in the language of the page, if it is known, and the service's details. */
function explain(error: unknown, t: ReturnType<typeof texts>): { title: string; detail: Sentences | undefined } {
  if (!(error instanceof Refusal)) return { title: t.unknown, detail: sentences(String(error)) };
  const { code = '', title = t.unknown } = error.problem;
  if (error.status === 0 || code === 'outcome-unknown') return { title: t.offline, detail: sentences(t.offlineWhy) };
  if (error.status === 401) return { title: t.signedOut, detail: sentences(t.signedOutWhy) };
  const detail = sentences(Array.from(error.byField, ([name, { text }]) => `${name}: ${text}`).join('\n') || error.problem.detail, 'en');
  if (error.status === 403) return { title: t.forbidden, detail };
  if (error.status === 404) return { title: t.notFound, detail };
  if (error.status === 412) return { title: t.changed, detail: sentences(t.changedWhy) };
  if (error.isPassing && code !== 'request-timeout') return { title: t.busy, detail: sentences(t.busyWhy) };
  if (language.value === 'en') return { title, detail: sentences(error.problem.detail, 'en') };
  const [german = t.unknown, why] = GERMAN_PROBLEMS[code] ?? [];
  return { title: german, detail: sentences(why) ?? detail };
}
