import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../api/refusal.js';
import { defineTexts } from '../texts.js';

const texts = defineTexts(
  {
    offline: 'No answer',
    offlineWhy: 'The network or the service is away. If this was a change, look whether it was made before you repeat it.',
    busy: 'The service is busy or away for a moment',
    busyWhy: 'Nothing was changed.',
    signedOut: 'You are not signed in',
    signedOutWhy: 'What you have typed is still here. The next attempt asks you to sign in again.',
    forbidden: 'Your account may not do this',
    notFound: 'It is not there (any more)',
    unknown: 'That did not work',
    requestId: (id: string) => `Request ${id}`,
    again: 'Try again',
    againIn: (seconds: number) => `Try again (better in ${seconds} s)`,
  },
  {
    offline: 'Keine Antwort',
    offlineWhy: 'Das Netz oder der Dienst ist weg. War es eine Änderung, so sehen Sie erst nach, ob es sie schon gibt.',
    busy: 'Der Dienst ist kurz überlastet oder nicht da',
    busyWhy: 'Es wurde nichts geändert.',
    signedOut: 'Sie sind nicht angemeldet',
    signedOutWhy: 'Was Sie eingegeben haben, ist noch da. Der nächste Versuch führt zur Anmeldung.',
    forbidden: 'Ihr Konto darf das nicht',
    notFound: 'Das gibt es nicht (mehr)',
    unknown: 'Das hat nicht geklappt',
    requestId: (id: string) => `Anfrage ${id}`,
    again: 'Noch einmal versuchen',
    againIn: (seconds: number) => `Noch einmal versuchen (besser in ${seconds} s)`,
  },
);

/** Says why something did not work, and offers to try again. It takes the focus when it appears after a click. */
export function Failure(props: {
  error: unknown;
  /** Better words than those of the service. */
  title?: string;
  detail?: string;
  /** Does the same again; without it there is nothing to try. */
  onRetry?: () => void;
  takesFocus?: boolean;
  /** A way out that belongs to this page. */
  children?: ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { error } = props;
  useEffect(() => {
    if (props.takesFocus) box.current?.focus();
  }, [error]);
  const t = texts();
  const { title, detail } = props.title === undefined ? wordsOf(error, t) : { title: props.title, detail: props.detail };
  const requestId = error instanceof Refusal ? error.problem.request_id : undefined;
  return (
    <div class="failure" role="alert" tabIndex={-1} ref={box}>
      <p>
        <strong>{title}</strong>
      </p>
      {detail && <p>{detail}</p>}
      {props.title === undefined && error instanceof Refusal && error.problem.hint && <p>{error.problem.hint}</p>}
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

/** Seconds until the service would like to be asked again. */
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

/** The service's own words where it has some; they are English. What it means comes first, in the language of the page. */
function wordsOf(error: unknown, t: ReturnType<typeof texts>): { title: string; detail?: string } {
  if (!(error instanceof Refusal)) return { title: t.unknown, detail: String(error) };
  const { detail, title } = error.problem;
  if (error.status === 0) return { title: t.offline, detail: t.offlineWhy };
  if (error.status === 401) return { title: t.signedOut, detail: t.signedOutWhy };
  if (error.status === 403) return { title: t.forbidden, detail };
  if (error.status === 404) return { title: t.notFound, detail };
  if (error.isPassing) return { title: t.busy, detail: t.busyWhy };
  return { title: title ?? t.unknown, detail };
}
