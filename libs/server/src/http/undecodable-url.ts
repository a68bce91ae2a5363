import type { NextFunction, Request, Response } from 'express';

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Marks a URL with invalid percent-encoding, so that request validation rejects it; the router itself would respond 400 before the token is
 * checked.
 */
export function markUndecodableUrl(request: Request, response: Response, next: NextFunction): void {
  if (!isDecodable(request.url)) {
    response.locals['undecodable'] = true;
    request.url = request.url.replaceAll(/%(?![0-7][0-9a-f])/gi, '%25');
  }
  next();
}

/** Parses a query string: a repeated name becomes an array, and brackets have no meaning. */
export function parseQuery(text: string | undefined): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text ?? '')) {
    const before = query[name];
    if (Array.isArray(before)) before.push(value);
    else query[name] = before === undefined ? value : [before, value];
  }
  return query;
}
