/** Closings of production, with what was invoiced: neither ever changes. */
export const samples = (writtenBy: string): string => `
  select t.tenant, ${writtenBy}::text as written_by, array[
    '/api/v2/sys/closings/' || t.closing_id || '/',
    '/api/v2/sys/periods/totals/?closing=' || t.closing_id,
    '/api/v2/sys/periods/?closing=' || t.closing_id
  ] as paths
  from closing t where t.namespace_id = '00000000-0000-0000-0000-000000000000' order by random() limit 20`;
