import { page } from '../../configuration.js';
import { useApp } from '../../session/context.js';
import { type Records, useRecords } from '../../ui/form/record-choice.js';

/** The registry of ISPs, for choices and names. */
export type Isps = Records;

export function useIsps(): Isps {
  const { isps } = useApp().fibre;
  return useRecords('partner_id', 'events:read', (query, options) => isps.list(query, options));
}

/** An ISP by its name if it is registered, otherwise by its id. */
export function IspName({ isps, partner_id }: { isps: Isps; partner_id: string }) {
  const name = isps.nameOf.get(partner_id);
  // As high as a name, so that a list doesn't move under its readers when the names arrive.
  if (isps.isLoading) return <>…</>;
  return name === undefined ? (
    <code>{partner_id}</code>
  ) : (
    <a href={page(`isps/${partner_id}`)} class="clipped">
      <bdi>{name}</bdi>
    </a>
  );
}
