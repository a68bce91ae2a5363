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
