import { useLayoutEffect, useRef } from 'preact/hooks';
import { Optional } from '../../../ui/form/field.js';
import type { FormState } from '../../../ui/form/form.js';
import { Said } from '../../../ui/said.js';
import { codesOf, type EventValues } from './event.js';
import { texts } from '../entity-texts.js';

const NAME = 'sys_attributes.article_codes';
/** The service's limit. */
const MOST = 64;

/** A list of article codes, with one field for each code. */
export function ArticleCodesField({ form, isOptional }: { form: FormState<EventValues>; isOptional: boolean }) {
  const t = texts();
  const list = useRef<HTMLFieldSetElement>(null);
  // Where to put the focus once the fields have changed.
  const next = useRef<number | undefined>(undefined);
  const codes = codesOf(form.values[NAME]);
  const set = (changed: readonly string[]) => form.set(NAME, changed.join('\n'));
  useLayoutEffect(() => {
    if (next.current === undefined) return;
    list.current?.querySelectorAll('input')[next.current]?.focus();
    next.current = undefined;
  }, [codes.length]);
  const errors = codes.map((_, index) => form.errorOf(`${NAME}.${index}`));
  const whole = errors.some((error) => error !== undefined) ? undefined : form.errorOf(NAME);
  return (
    <fieldset class="field articles-field" ref={list} aria-describedby={isOptional ? undefined : 'article-codes-hint'}>
      <legend>
        {t.articles}
        {isOptional && <Optional />}
      </legend>
      {!isOptional && (
        <p class="fine" id="article-codes-hint">
          {t.articlesHint}
        </p>
      )}
      {codes.map((code, index) => {
        const error = errors[index] ?? (index === 0 ? whole : undefined);
        return (
          <div key={index} class="article">
            <input
              type="text"
              autoComplete="off"
              aria-label={t.articleNumber(index + 1)}
              aria-required={!isOptional && index === 0}
              aria-invalid={error !== undefined}
              aria-describedby={error === undefined ? undefined : `article-code-${index}`}
              value={code}
              onInput={({ currentTarget }) => set(codes.with(index, currentTarget.value))}
            />
            {codes.length > 1 && (
              <button
                type="button"
                class="quiet"
                aria-label={t.removeArticle(index + 1)}
                onClick={() => {
                  next.current = Math.max(0, index - 1);
                  set(codes.toSpliced(index, 1));
                }}
              >
                ×
              </button>
            )}
            {error !== undefined && (
              <p class="error" id={`article-code-${index}`}>
                <Said {...error} />
              </p>
            )}
          </div>
        );
      })}
      <div>
        <button
          type="button"
          class="small"
          disabled={codes.length >= MOST}
          onClick={() => {
            next.current = codes.length;
            set([...codes, '']);
          }}
        >
          {t.addArticle}
        </button>
      </div>
    </fieldset>
  );
}
