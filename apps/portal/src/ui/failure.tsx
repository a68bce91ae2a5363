import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Refusal, type Sentences } from '../refusal.js';
import { defineTexts, language } from '../texts.js';
import { Translated } from './translated.js';
import { Button } from './button.js';

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

/** German texts for the services' problems, keyed by code: a title and, for some, a text that replaces the service's English detail. */
const GERMAN: Readonly<Record<string, readonly [title: string, detail?: string]>> = {
  'customer-reference-taken': [
    'Diese Kundenreferenz ist bereits vergeben',
    'Ein anderer Zugangsknoten dieser Relation hat dieselbe Kundenreferenz.',
  ],
  'event-in-future': ['Das Ereignis liegt in der Zukunft', 'Es darf nicht nach der jetzigen Zeit des Dienstes liegen.'],
  'event-order': ['Das passt nicht zur Reihenfolge: Aktivierung, Änderungen, Deaktivierung'],
  'event-time-taken': ['Ein anderes Ereignis hat denselben Zeitpunkt'],
  'file-changed': ['Die Datei wurde geändert, seit Sie sie gewählt haben', 'Wählen Sie sie noch einmal. Ihre Einstellungen bleiben.'],
  'file-refused': ['Die Datei wurde abgelehnt'],
  'idempotency-key-taken': ['Dieser Import wurde schon mit einer anderen Datei gesendet', 'Wählen Sie die Datei noch einmal.'],
  'import-refused': ['Der Import wurde abgelehnt'],
  'internal-error': ['Im Dienst ist ein Fehler aufgetreten', 'Die Ursache steht unter der Anfrage-ID im Protokoll des Dienstes.'],
  'invalid-request': ['Die Angaben sind ungültig'],
  'isp-in-use': ['Ereignisse nennen diesen ISP', 'Ereignisse werden nie gelöscht, daher bleibt auch der ISP.'],
  'isp-name-taken': ['Dieser Name ist vergeben', 'Wählen Sie einen anderen, oder verwenden Sie den Eintrag.'],
  'isp-tenant-taken': ['Dieser Mandant gehört schon zu einem anderen ISP'],
  'nodes-not-found': [
    'Einige der Zugangsknoten gibt es nicht mehr',
    'Es wurde nichts geändert. Laden Sie die Liste neu, und wählen Sie noch einmal.',
  ],
  'malformed-request': ['Die Anfrage ist nicht lesbar'],
  'payload-too-large': ['Die Datei ist zu groß', 'Teilen Sie sie auf.'],
  'relation-in-use': ['Die Relation wird verwendet', 'Sie hat noch Zugangsknoten; löschen Sie diese zuerst.'],
  'relation-name-taken': ['Dieser Name ist vergeben', 'Wählen Sie einen anderen, oder verwenden Sie den Eintrag.'],
  'request-timeout': ['Die Übertragung hat zu lange gedauert', 'Versuchen Sie es mit einer schnelleren Verbindung.'],
  'too-many-deletions': [
    'Inzwischen würden mehr Zugangsknoten gelöscht',
    'Es wurde nichts geändert. Prüfen Sie noch einmal, was sich ändern würde.',
  ],
  'too-many-rows': ['Zu viele Zeilen', 'Eine Excel-Datei fasst 1.048.576 Zeilen mit den Überschriften. Exportieren Sie als CSV.'],
  'unsupported-media-type': ['Dieses Format wird nicht unterstützt'],
};

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
  if (error.isPassing) return { title: t.busy, detail: sentences(t.busyWhy) };
  if (language.value === 'en') return { title, detail: sentences(error.problem.detail, 'en') };
  const [german = t.unknown, why] = GERMAN[code] ?? [];
  return { title: german, detail: sentences(why) ?? detail };
}
