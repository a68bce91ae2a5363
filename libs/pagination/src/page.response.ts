import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';

/** Documents a listing of `type` with its page headers. */
export const ApiPage = (type: Type<unknown>, description: string): MethodDecorator =>
  applyDecorators(
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
      },
    }),
  );
