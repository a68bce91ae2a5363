import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Refusal } from '../refusal.js';
import type { Scope } from '../configuration.js';
import { useAction } from '../hooks/use-action.js';
import { defineTexts } from '../texts.js';
import { Failure } from './failure.js';
import { Button } from './button.js';

const texts = defineTexts({ confirm: ['Delete', 'Löschen'], keep: ['Keep it', 'Behalten'] });

/** A modal question. The focus stays inside it, and afterwards returns to where it was before. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Deletes something after a confirmation. */
export function DeleteButton(props: {
  label: string;
  title: string;
  warning: ComponentChildren;
  scope: Scope;
  remove: () => Promise<void>;
  /** Shows the current version of a record that somebody else has changed. */
  onOutdated?: () => void;
}) {
  const t = texts();
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, run, forget } = useAction();
  const close = (): void => {
    forget();
    setAsking(false);
  };
  const isFinal = error instanceof Refusal && [404, 409].includes(error.status);
  return (
    <div class="actions">
      <Button label={props.label} look="danger" scope={props.scope} onClick={() => setAsking(true)} />
      {isAsking && (
        <Dialog title={props.title} onClose={close}>
          <p>
            {props.warning} {t.notUndone}
          </p>
          {error !== undefined && <Failure error={error} takesFocus onOutdated={() => (close(), props.onOutdated?.())} />}
          <div class="actions">
            {!isFinal && <Button label={t.confirm} look="danger" isBusy={isBusy} onClick={() => void run(props.remove)} />}
            <Button label={t.keep} onClick={close} />
          </div>
        </Dialog>
      )}
    </div>
  );
}
