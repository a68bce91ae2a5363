import type { ComponentChildren } from 'preact';
import type { Loaded } from '../hooks/use-load.js';
import { defineTexts } from '../texts.js';
import { Failure } from './failure.js';

const texts = defineTexts({ loading: ['Loading …', 'Wird geladen …'] });

/** Placeholder while loading. */
export function Loading() {
  return (
    <p class="loading" role="status">
      {texts().loading}
    </p>
  );
}

/** Shows what was loaded, or that it is loading, or why loading failed. */
export function WhenLoaded<T>(props: {
  loaded: Loaded<T>;
  /** Shown below the reason for a failure. */
  otherwise?: ComponentChildren;
  children: (data: NonNullable<T>) => ComponentChildren;
}) {
  const { data, isLoading, error, reload } = props.loaded;
  if (error === undefined) {
    if (data != null) return <>{props.children(data)}</>;
    return isLoading ? <Loading /> : null;
  }
  return (
    <Failure error={error} onRetry={reload}>
      {props.otherwise}
    </Failure>
  );
}
