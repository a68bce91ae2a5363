import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../hooks/use-action.js';
import { defineTexts } from '../texts.js';
import { Dialog } from './dialog.js';

const texts = defineTexts({ confirm: ['Delete', 'Löschen'], keep: ['Keep it', 'Behalten'] });

/** Deletes something after a confirmation. */
export function DeleteButton(props: {
  label: string;
  title: string;
  warning: ComponentChildren;
  isOff: boolean;
  remove: () => Promise<void>;
  /** Why it was not deleted. */
  explain: (error: unknown, close: () => void) => ComponentChildren;
}) {
  const t = texts();
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, run, forget } = useAction();
  const close = (): void => {
    forget();
    setAsking(false);
  };
  return (
    <div class="actions">
      <button type="button" class="danger" disabled={props.isOff} onClick={() => setAsking(true)}>
        {props.label}
      </button>
      {isAsking && (
        <Dialog title={props.title} onClose={close}>
          <p>{props.warning}</p>
          {error !== undefined && props.explain(error, close)}
          <div class="actions">
            <button type="button" class="danger" aria-disabled={isBusy} onClick={() => void run(props.remove)}>
              {t.confirm}
            </button>
            <button type="button" onClick={close}>
              {t.keep}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
