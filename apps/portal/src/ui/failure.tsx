import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../api/refusal.js';
import { defineTexts, language } from '../texts.js';

const texts = defineTexts({
  offline: ['No response', 'Keine Antwort'],
  offlineWhy: [
    'The network or the service is unavailable. If you were saving something, check whether it was saved before you try again.',
    'Das Netz oder der Dienst ist nicht erreichbar. Wenn Sie gerade etwas gespeichert haben, prüfen Sie zuerst, ob es schon gespeichert ist.',
  ],
  busy: ['The service is busy or temporarily unavailable', 'Der Dienst ist überlastet oder vorübergehend nicht erreichbar'],
  busyWhy: ['Nothing was changed.', 'Es wurde nichts geändert.'],
  signedOut: ['You are not signed in', 'Sie sind nicht angemeldet'],
  signedOutWhy: [
    'What you have typed is still here. You will be asked to sign in when you try again.',
    'Ihre Eingaben sind noch da. Beim nächsten Versuch werden Sie zur Anmeldung aufgefordert.',
  ],
  forbidden: ['Your account may not do this', 'Ihr Konto hat dafür keine Berechtigung'],
  notFound: ['Not found', 'Nicht gefunden'],
  unknown: ['Something went wrong', 'Etwas ist schiefgegangen'],
  requestId: [(id: string) => `Request ${id}`, (id) => `Anfrage ${id}`],
  againIn: [(seconds: number) => `Try again (best in ${seconds} s)`, (seconds) => `Erneut versuchen (am besten in ${seconds} s)`],
});

/** German titles of the service's errors, by code. */
const GERMAN: Readonly<Record<string, string>> = {
  'customer-reference-taken': 'Diese Kundenreferenz ist bereits vergeben',
  'event-in-future': 'Das Ereignis liegt in der Zukunft',
  'import-refused': 'Der Import wurde abgelehnt',
  'internal-error': 'Im Dienst ist ein Fehler aufgetreten',
  'invalid-request': 'Die Angaben sind ungültig',
  'malformed-request': 'Die Anfrage ist nicht lesbar',
  'payload-too-large': 'Das ist zu groß',
  'precondition-failed': 'Das wurde inzwischen geändert',
  'request-timeout': 'Die Übertragung hat zu lange gedauert',
  'unsupported-media-type': 'Dieses Format wird nicht unterstützt',
};

/** Says why something failed, and offers to try again. It takes the focus if it appears after a click. */
export function Failure(props: {
  error: unknown;
  /** A better explanation than the service's. */
  title?: string;
  detail?: string;
  /** Tries again; without it there is no such button. */
  onRetry?: () => void;
  takesFocus?: boolean;
  /** A link or button of this page that helps. */
  children?: ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { error } = props;
  useEffect(() => {
    if (props.takesFocus) box.current?.focus();
  }, [error]);
  const t = texts();
  const { title, detail, lang }: Said = props.title === undefined ? wordsOf(error, t) : { title: props.title, detail: props.detail };
  const requestId = error instanceof Refusal ? error.problem.request_id : undefined;
  return (
    <div class="failure" role="alert" tabIndex={-1} ref={box}>
      <p>
        <strong>{title}</strong>
      </p>
      {detail && <p lang={lang}>{detail}</p>}
      {props.title === undefined && error instanceof Refusal && error.problem.hint && <p lang="en">{error.problem.hint}</p>}
      {props.children}
      {props.onRetry && <Retry error={error} onRetry={props.onRetry} />}
      {requestId && <p class="fine">{t.requestId(requestId)}</p>}
    </div>
  );
}

function Retry({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = texts();
  const seconds = useCountdown(error);
  return (
    <button type="button" onClick={onRetry}>
      {seconds > 0 ? t.againIn(seconds) : t.again}
    </button>
  );
}

/** Seconds until the service suggests a retry. */
function useCountdown(error: unknown): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const end = Date.now() + (error instanceof Refusal ? (error.retryAfter ?? 0) : 0) * 1_000;
    const left = (): number => Math.max(0, Math.ceil((end - Date.now()) / 1_000));
    setSeconds(left());
    const timer = setInterval(() => {
      setSeconds(left());
      if (left() === 0) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [error]);
  return seconds;
}

interface Said {
  readonly title: string;
  readonly detail?: string | undefined;
  /** Language of the detail, if it is not the page's. */
  readonly lang?: 'en';
}

/** The meaning in the language of the page, and the service's details, which are English. */
function wordsOf(error: unknown, t: ReturnType<typeof texts>): Said {
  if (!(error instanceof Refusal)) return { title: t.unknown, detail: String(error) };
  const { code = '', detail, title = t.unknown } = error.problem;
  if (error.status === 0 || code === 'outcome-unknown') return { title: t.offline, detail: t.offlineWhy };
  if (error.status === 401) return { title: t.signedOut, detail: t.signedOutWhy };
  if (error.status === 403) return { title: t.forbidden, detail, lang: 'en' };
  if (error.status === 404) return { title: t.notFound, detail, lang: 'en' };
  if (error.isPassing) return { title: t.busy, detail: t.busyWhy };
  return { title: language.value === 'de' ? (GERMAN[code] ?? t.unknown) : title, detail, lang: 'en' };
}
