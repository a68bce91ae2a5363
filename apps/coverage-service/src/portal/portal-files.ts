import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { preconditionFailed, routeNotFound, unavailable } from '@fibre/problems';
import express, { type NextFunction, type Request, type Response } from 'express';
import { PORTAL_PATH, type PortalOptions } from './portal.options.js';

/** Vite's folder for files whose name contains a hash. */
const ASSETS = '/assets/';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const INDEX = '/index.html';
/** Folders of files, and hidden names, which scanners ask for. */
const NO_PAGE = /^\/(?:assets|map)(?:\/|$)|\/(?:\.|%2e)/i;
/** Names without characters that caches or file systems could interpret. */
const PLAIN = /^(?:\/[\w-][\w.-]*)+$/;

/** Serves the files of the portal. A path without a file name is a page of the portal, for which index.html is sent. */
export function portalFiles({ folder, isRebuilt }: PortalOptions): (request: Request, response: Response, next: NextFunction) => void {
  if (!isRebuilt && !existsSync(join(folder, INDEX))) throw new Error(`${folder} has no portal: build it, or set PORTAL_ENABLED=false`);
  const files = express.static(folder, { index: false, redirect: false, acceptRanges: false, cacheControl: false, dotfiles: 'ignore' });
  return (request, response, next) => {
    const file = fileFor(request.path);
    if (!PLAIN.test(file) || file.endsWith('.br')) return next(routeNotFound(request.path));
    const isCompressed = !!request.acceptsEncodings('br') && existsSync(join(folder, `${file}.br`));
    if (isCompressed) response.type(extname(file)).setHeader('content-encoding', 'br');
    response.vary('accept-encoding');
    response.setHeader('cache-control', file.startsWith(ASSETS) ? IMMUTABLE : 'no-cache');
    // Express does the same for a router mounted at a path.
    request.url = isCompressed ? `${file}.br` : file;
    files(request, response, (error?: { statusCode?: number }) => {
      response.removeHeader('content-encoding');
      next(refusalOf(file, request, error));
    });
  };
}

function refusalOf(file: string, { path }: Request, error?: { statusCode?: number }): unknown {
  if (error?.statusCode === 412) return preconditionFailed('The file has changed since the version that the request names.');
  if (error) return error;
  return file === INDEX ? unavailable('The portal is not built: npx nx build portal') : routeNotFound(path);
}

/** The file for a path: index.html for a page, otherwise the file with that name. */
function fileFor(path: string): string {
  const name = path.slice(PORTAL_PATH.length);
  return extname(name) === '' && !NO_PAGE.test(name) ? INDEX : name;
}
