import { SECURITY_SCHEME } from '@fibre/auth';
import { ProblemResponse } from '@fibre/problems';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { completeDocument } from './complete-document.js';
import type { ServerEnv } from '../env/server.env.js';

/** The parts of an OpenAPI document that each service provides. */
export interface ApiDescription {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Base path of the document and its pages, such as `/v2/cov`. */
  readonly path: string;
  /** The tags of the operations, in the order in which the docs page shows them. */
  readonly tags: readonly string[];
  /** Beginning of the paths whose rest is what a person wrote, which is never logged. */
  readonly privatePath?: string;
  /** Scopes and their descriptions. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** Creates the OpenAPI 3.1 document of an application from its controllers. */
export function buildOpenApi(app: NestExpressApplication, api: ApiDescription, tokenUrl: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(api.title)
    .setDescription(api.description)
    .setVersion(api.version)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addOAuth2(
      {
        type: 'oauth2',
        description: 'Client id and secret come from the provider of the API.',
        flows: { clientCredentials: { tokenUrl, scopes: { ...api.scopes } } },
      },
      SECURITY_SCHEME,
    );
  for (const tag of api.tags) builder.addTag(tag);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
    extraModels: [ProblemResponse],
  });
  return completeDocument(document);
}

/** Serves the document at `<path>/openapi.json` and an interactive docs page at `<path>/docs`; neither needs a token. */
export function serveOpenApi(app: NestExpressApplication, env: ServerEnv, api: ApiDescription): void {
  const tokenUrl = env.OAUTH_TOKEN_URL ?? `${env.OAUTH_ISSUER.replace(/\/$/, '')}/token`;
  const [docs, document] = [`${api.path}/docs`, `${api.path}/openapi.json`];
  app.use([docs, document], publicForAWhile);
  app.use(docs, docsSecurity(tokenUrl));
  SwaggerModule.setup(docs, app, () => buildOpenApi(app, api, tokenUrl), {
    jsonDocumentUrl: document,
    raw: ['json'],
    customSiteTitle: api.title,
    // Otherwise the docs page would save authorizations with their client secrets in the browser's local storage.
    swaggerOptions: { persistAuthorization: false, displayRequestDuration: true },
  });
}

/** Lets anyone cache the response, because it is the same for every client until the next release. */
function publicForAWhile(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('cache-control', 'public, max-age=300');
  next();
}

/** The pages run their own scripts, and their Authorize button fetches a token from the issuer. */
function docsSecurity(tokenUrl: string): (request: Request, response: Response, next: NextFunction) => void {
  // An issuer that is no URL, such as accounts.google.com, has no token endpoint by default.
  const issuerOrigins = URL.canParse(tokenUrl) ? [new URL(tokenUrl).origin] : [];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        connectSrc: ["'self'", ...issuerOrigins],
        imgSrc: ["'self'", 'data:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        frameAncestors: ["'none'"],
      },
    },
  });
}
