import { SECURITY_SCHEME } from '@fibre/auth';
import { ProblemResponse } from '@fibre/problems';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import type { ServerEnv } from '../start/server.env.js';

/** What the OpenAPI document of a service says of it. */
export interface ApiDescription {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Path that the document and its pages stand under, `/v2/cov`. */
  readonly path: string;
  /** Scope to what it allows. */
  readonly scopes: Readonly<Record<string, string>>;
}

/** Makes the OpenAPI 3.1 document of an application from its controllers. */
export function buildOpenApi(app: NestExpressApplication, api: ApiDescription, tokenUrl: string): OpenAPIObject {
  const description = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(api.title)
    .setDescription(api.description)
    .setVersion(api.version)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addOAuth2({ type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: { ...api.scopes } } } }, SECURITY_SCHEME)
    .build();
  const document = SwaggerModule.createDocument(app, description, {
    operationIdFactory: (_controller, method) => method,
    extraModels: [ProblemResponse],
  });
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path) as { responses?: Record<string, unknown> }[]) {
      if (operation.responses) operation.responses = { ...COMMON_RESPONSES, ...operation.responses };
    }
  }
  return document;
}

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemResponse) } } },
});

/** What any operation can answer, whatever else it documents. */
const COMMON_RESPONSES = {
  400: problem('`malformed-request`'),
  406: problem('`not-acceptable`'),
  500: problem('`internal-error`'),
  503: problem('`unavailable`, with `Retry-After`'),
};

/** Serves the document at `<path>/openapi.json` and pages to browse and try it at `<path>/docs`, without a token. */
export function serveOpenApi(app: NestExpressApplication, env: ServerEnv, api: ApiDescription): void {
  const tokenUrl = env.OAUTH_TOKEN_URL ?? `${env.OAUTH_ISSUER.replace(/\/$/, '')}/token`;
  const [docs, document] = [`${api.path}/docs`, `${api.path}/openapi.json`];
  app.use([docs, document], publicForAWhile);
  app.use(docs, docsSecurity(new URL(tokenUrl).origin));
  SwaggerModule.setup(docs, app, () => buildOpenApi(app, api, tokenUrl), {
    jsonDocumentUrl: document,
    raw: ['json'],
    customSiteTitle: api.title,
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true },
  });
}

/** The same for everybody, and new with the next release at most. */
function publicForAWhile(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('cache-control', 'public, max-age=300');
  next();
}

/** The pages run scripts of their own, and Authorize fetches a token from the issuer. */
function docsSecurity(issuerOrigin: string): (request: Request, response: Response, next: NextFunction) => void {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        connectSrc: ["'self'", issuerOrigin],
        imgSrc: ["'self'", 'data:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        frameAncestors: ["'none'"],
      },
    },
  });
}
