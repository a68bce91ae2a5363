/** The cursor in the `link` header that the next page of a listing begins at; undefined on the last page. */
export function nextCursor(response: Response): string | undefined {
  // `<URL>; rel=self, <URL>; rel=next`; a comma within a URL is percent-encoded.
  for (const link of (response.headers.get('link') ?? '').split(',')) {
    const [, url] = /^\s*<([^>]*)>;\s*rel="?next"?\s*$/.exec(link) ?? [];
    if (url !== undefined) return new URL(url).searchParams.get('_page_cursor') ?? undefined;
  }
  return undefined;
}
