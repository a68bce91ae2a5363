import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Refusal } from '../../api/refusal.js';
import { defineTexts } from '../../texts.js';
import { Failure } from '../failure.js';
import type { FormState, Values } from './use-form.js';

const texts = defineTexts({ saving: 'Saving …' }, { saving: 'Wird gespeichert …' });

/** A form: what is wrong as a whole above the fields, and after a refused attempt the focus where it has to go. */
export function Form<V extends Values>(props: {
  form: FormState<V>;
  /** Of the button that saves. */
  submitLabel: string;
  /** Why nobody may save now; the button is then off. */
  isOff?: boolean;
  /** Explains a refusal better than its own words. */
  explain?: (refusal: Refusal) => ComponentChildren;
  /** Stands beside the button that saves. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { form } = props;
  const element = useRef<HTMLFormElement>(null);
  const names = Object.keys(form.values);
  const isAtFields = form.error instanceof Refusal && form.error.byField.size > 0 && [...form.error.byField.keys()].every(isField);
  function isField(name: string): boolean {
    return names.some((field) => name === field || name.startsWith(`${field}.`));
  }
  const attempt = async (): Promise<void> => {
    await form.submit();
    // After the next rendering, which marks the fields.
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const explanation = form.error instanceof Refusal ? props.explain?.(form.error) : undefined;
  return (
    <form
      ref={element}
      noValidate
      aria-busy={form.isSaving}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt();
      }}
    >
      {explanation ??
        (form.error !== undefined && !isAtFields && (
          <Failure
            error={form.error}
            takesFocus
            {...(form.error instanceof Refusal && form.error.isPassing && { onRetry: () => void attempt() })}
          />
        ))}
      {props.children}
      <div class="actions">
        <button type="submit" class="primary" disabled={props.isOff} aria-disabled={form.isSaving}>
          {form.isSaving ? texts().saving : props.submitLabel}
        </button>
        {props.actions}
      </div>
    </form>
  );
}
