import { Refusal } from '../../api/refusal.js';
import type { Version } from '../../api/version.js';
import { useLeave } from '../../hooks/use-leave.js';
import { useApp, useScope } from '../../session/context.js';
import { announce } from '../../ui/announcements.js';
import { DeleteButton } from '../../ui/delete-button.js';
import { Failure } from '../../ui/failure.js';
import type { Values } from '../../ui/form/use-form.js';
import { idOf, type NamedRecord, type RecordKind } from './record-kind.js';
import { texts } from './record-texts.js';

/** Deletes a record that nothing refers to, unless someone else has changed it since it was loaded. */
export function DeleteRecord<R extends NamedRecord, V extends Values>(props: {
  kind: RecordKind<R, V>;
  version: Version<R>;
  reload: () => void;
}) {
  const t = texts();
  const { kind, reload } = props;
  const { record, etag } = props.version;
  const own = kind.texts();
  const { fibre } = useApp();
  const leave = useLeave();
  const remove = async (): Promise<void> => {
    await kind.remove(fibre, idOf(kind, record), etag);
    announce(t.wasDeleted(record.name));
    await leave(kind.path);
  };
  const explain = (error: unknown, close: () => void) => {
    const refusal = error instanceof Refusal ? error : undefined;
    if (refusal?.code?.endsWith('-in-use'))
      return (
        <Failure error={error} title={own.inUse} detail={own.inUseWhy}>
          {kind.InTheWay && <kind.InTheWay refusal={refusal} />}
        </Failure>
      );
    if (refusal?.status === 404) return <Failure error={error} title={t.gone} />;
    if (refusal?.status !== 412) return <Failure error={error} />;
    return (
      <Failure error={error} title={t.changed}>
        <button type="button" onClick={() => (close(), reload())}>
          {t.showSaved}
        </button>
      </Failure>
    );
  };
  return (
    <DeleteButton
      label={own.remove}
      title={t.removeTitle(record.name)}
      warning={own.removeWarning}
      isOff={!useScope(kind.writeScope)}
      remove={remove}
      explain={explain}
    />
  );
}
