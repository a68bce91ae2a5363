/** Nodes that have not been changed lately, so that nobody is likely to change them now. */
export const samples = (writtenBy: string): string => `
  select t.tenant, ${writtenBy}::text as written_by, array['/v2/cov/nodes/' || t.node_id || '/?target=' || t.collection] as paths
  from access_node t where t.modified_at < now() - interval '10 minutes' order by random() limit 20`;
