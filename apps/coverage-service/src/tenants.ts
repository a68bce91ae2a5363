import type { TenantRules } from '@fibre/database';

/** The bulk work of the transaction (see publication.sql.ts). */
const PUBLICATION = `current_setting('fibre.publication')::bigint`;

/**
 * A tenant that leaves or arrives is bulk work like an import: a feed shows its nodes at the time of the work, because all that follow the
 * feed have passed the times that the nodes have. The deletions of its nodes stay as long as any deletion does.
 */
export const tenants: TenantRules = {
  leave: ['delete from webhook w where w.tenant = $1'],
  kept: { node_deletion: 'true', publication: 'exists (select from node_deletion d where d.publication = t.publication_id)' },
  beforeArrival: ['select begin_publication($1)'],
  replaced: { 'access_node.publication': PUBLICATION, 'node_deletion.publication': PUBLICATION },
  leftBehind: ['publication'],
  afterArrival: ['update webhook w set enabled = false where w.tenant = $1'],
  afterCommit: ['update publication p set published_at = write_time() where p.tenant = $1 and p.published_at is null'],
};
