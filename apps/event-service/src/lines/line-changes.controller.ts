import { ChangesQuery, ListedFeed, SETTLED_UNTIL } from '@fibre/changes';
import { Authorize, Tenant } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { Costs } from '@fibre/server';
import { Controller, Get, Headers, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ChargesHeaders } from '../charges/charges.requests.js';
import { LINE_CHANGE, LineChangeModels } from './line-change.response.js';

/** Injection token of the feed of lines. */
export const LINE_FEED = Symbol('LINE_FEED');

@Controller('api/v2/sys/charges/lines/changes')
@ApiTags('Changes')
@LineChangeModels()
export class LineChangesController {
  constructor(@Inject(LINE_FEED) private readonly feed: ListedFeed) {}

  @Get()
  @Authorize('charges:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({
    summary: 'List changes to your lines',
    description:
      'For internet service providers that keep a copy: lists each line of every operator once, at the position of its last change, oldest ' +
      'first. A line moves only when what you see of it changes, also when an operator gives your tenant its lines or takes them away. Follow the ' +
      '`next` link; `[]` means that you have everything up to `x-settled-until`, shortly before now: request `next` again later. ' +
      'Following `next` misses nothing, but may return a line twice. A walk from the beginning omits lines that have ended.',
  })
  @Paginated(
    LINE_CHANGE,
    'A page of changes.',
    {
      [SETTLED_UNTIL]:
        'All changes before this instant are in the feed: on this page, or on an earlier or later one. Later changes may still be missing.',
    },
    true,
  )
  listLineChanges(@Tenant() tenant: string, @Headers() _headers: ChargesHeaders, @Query() query: ChangesQuery): Promise<Page> {
    return this.feed.list({ tenant }, query);
  }
}
