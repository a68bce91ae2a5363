import { applyDecorators, type Type, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse, type OpenAPIObject } from '@nestjs/swagger';
import { PageInterceptor } from './page.interceptor.js';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const NEXT = '`<URL>; rel=self` and, unless this is the last page, `<URL>; rel=next` (RFC 8288). Follow `next` until there is none.';
const ALWAYS_NEXT = '`<URL>; rel=self, <URL>; rel=next` (RFC 8288). There is always a `next`: continue there, now or later.';

/**
 * Declares a route that lists `type`, a class or the schema of an item: documents the page headers and sends them.
 *
 * @param headers more headers of the listing, with their descriptions
 * @param isEndless whether every page has a next page; pages are then not counted
 */
export const Paginated = (
  type: Type<unknown> | Schema,
  description: string,
  headers: Readonly<Record<string, string>> = {},
  isEndless = false,
): MethodDecorator =>
  applyDecorators(
    UseInterceptors(PageInterceptor),
    ApiOkResponse({
      description,
      ...(typeof type === 'function' ? { type: [type] } : { schema: { type: 'array', items: type } }),
      headers: {
        link: { description: isEndless ? ALWAYS_NEXT : NEXT, schema: { type: 'string' } },
        'x-page-size': { description: 'Page size in use.', schema: { type: 'integer' } },
        ...(!isEndless && {
          'x-page-count': { description: 'Number of pages, as counted for the first page.', schema: { type: 'integer' } },
        }),
        ...Object.fromEntries(
          Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' as const } }]),
        ),
      },
    }),
  );
