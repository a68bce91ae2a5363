import { page } from '../../configuration.js';
import type { RecordKind } from './record-kind.js';

/** The place of a record's page in the menu. */
export function Above({ kind }: { kind: Pick<RecordKind, 'path' | 'group' | 'texts'> }) {
  return (
    <>
      {kind.group && <>{kind.group()} › </>}
      <a href={page(kind.path)}>{kind.texts().title}</a>
    </>
  );
}
