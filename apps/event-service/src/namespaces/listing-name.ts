/** Name of a tenant's listing in a namespace: a cursor is only valid for the listing it came from. */
export const listingName = (what: string, tenant: string, namespace: string | undefined): string =>
  [what, 'of', tenant, ...(namespace === undefined ? [] : ['in', namespace])].join(' ');
