import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import type { PortalOptions } from './portal.options.js';

/** What the portal may do in a browser: run its own files, and connect to the APIs, the issuer and the host of the map. */
export function portalHeaders(
  configuration: PortalOptions['configuration'],
): (request: Request, response: Response, next: NextFunction) => void {
  const { issuer, coverage_url, events_url, map_style } = configuration;
  // Some issuers are no URLs; nobody can sign in with them in a browser.
  const addresses = [issuer, coverage_url, events_url, map_style].filter((url) => url && URL.canParse(url));
  const origins = addresses.map((url) => new URL(url!).origin);
  return helmet({
    // The window of a second sign-in communicates with the page that opened it.
    crossOriginOpenerPolicy: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // The map uses images that it draws itself.
        imgSrc: ["'self'", 'data:', 'blob:', ...(map_style ? [new URL(map_style).origin] : [])],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...new Set(origins)],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  });
}
