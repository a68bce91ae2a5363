import { page } from '../../configuration.js';
import type { RecordKind } from './record-kind.js';

/** Where in the menu the page of a record stands. */
export function Above({ kind }: { kind: Pick<RecordKind, 'path' | 'group' | 'texts'> }) {
  return (
    <>
      {kind.group && <>{kind.group()} › </>}
      <a href={page(kind.path)}>{kind.texts().title}</a>
    </>
  );
}
