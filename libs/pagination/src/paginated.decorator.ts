import { applyDecorators, type Type, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { PageInterceptor } from './page.interceptor.js';

/**
 * Makes a route a listing of `type`: what documents its page headers also sends them.
 *
 * @param headers what the listing's own headers say
 */
export const Paginated = (type: Type<unknown>, description: string, headers: Readonly<Record<string, string>> = {}): MethodDecorator =>
  applyDecorators(
    UseInterceptors(PageInterceptor),
    ApiOkResponse({
      description,
      type: [type],
      headers: {
        link: {
          description:
            '`<URL>; rel=self` and, unless this is the last page, `<URL>; rel=next` (RFC 8288). Follow `next` until there is none.',
          schema: { type: 'string' },
        },
        'x-page-size': { description: 'Page size in use.', schema: { type: 'integer' } },
        'x-page-count': { description: 'Pages of the whole listing, as counted when the walk began.', schema: { type: 'integer' } },
        ...Object.fromEntries(
          Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' as const } }]),
        ),
      },
    }),
  );
