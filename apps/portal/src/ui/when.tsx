import { formatTime, words } from '../texts.js';

/** When something happened and, if that is known, who did it. A name may be in any script. */
export function When({ at, by, format = formatTime }: { at: string; by?: string | undefined; format?: (at: string) => string }) {
  return (
    <>
      <time dateTime={at}>{format(at)}</time>
      {by !== undefined && (
        <>
          {' '}
          <span class="by">
            {words().by} <bdi>{by}</bdi>
          </span>
        </>
      )}
    </>
  );
}
