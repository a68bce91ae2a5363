import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Refusal } from '../../api/refusal.js';
import { defineTexts } from '../../texts.js';
import { Failure } from '../failure.js';
import type { FormState, Values } from './use-form.js';

const texts = defineTexts({ saving: ['Saving …', 'Wird gespeichert …'] });

/** A form: general errors above the fields, and after a failed attempt the focus where it is needed. */
export function Form<V extends Values>(props: {
  form: FormState<V>;
  /** Label of the save button. */
  submitLabel: string;
  /** Why saving is disabled; the button is then off. */
  isOff?: boolean;
  isDanger?: boolean;
  /** Explains an error better than its own text. */
  explain?: (refusal: Refusal) => ComponentChildren;
  /** Shown next to the save button. */
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
        <button type="submit" class={props.isDanger ? 'danger' : 'primary'} disabled={props.isOff} aria-disabled={form.isSaving}>
          {form.isSaving ? texts().saving : props.submitLabel}
        </button>
        {props.actions}
      </div>
    </form>
  );
}
