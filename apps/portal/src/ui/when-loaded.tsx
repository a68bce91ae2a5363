import type { ComponentChildren } from 'preact';
import type { Loaded } from '../hooks/use-load.js';
import { Failure } from './failure.js';
import { Loading } from './table.js';

/** What was loaded, or that it is loading, or why it failed. */
export function WhenLoaded<T>(props: {
  loaded: Loaded<T>;
  /** Shown below the reason of a failure. */
  otherwise?: ComponentChildren;
  children: (data: NonNullable<T>) => ComponentChildren;
}) {
  const { data, isLoading, error, reload } = props.loaded;
  if (data != null) return <>{props.children(data)}</>;
  if (isLoading) return <Loading />;
  if (error === undefined) return null;
  return (
    <Failure error={error} onRetry={reload}>
      {props.otherwise}
    </Failure>
  );
}
