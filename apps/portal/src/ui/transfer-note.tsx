import type { ComponentChildren } from 'preact';
import type { Transfer } from '../hooks/use-transfer.js';
import { words } from '../texts.js';
import { Failure } from './failure.js';

/** How far a transfer is, and a button that cancels it; afterwards, why it failed. */
export function TransferNote({
  transfer,
  children,
  ...failure
}: {
  transfer: Transfer;
  /** A better explanation than the service's. */
  title?: string;
  detail?: string;
  children: ComponentChildren;
}) {
  if (transfer.error !== undefined) return <Failure error={transfer.error} takesFocus {...failure} />;
  if (!transfer.isBusy) return null;
  return (
    <div class="transfer">
      {children}
      <button type="button" class="small" onClick={transfer.cancel}>
        {words().cancel}
      </button>
    </div>
  );
}
