import { CHANGE_FEEDS, type ListedFeed, SETTLED_UNTIL } from '@fibre/changes';
import { Authorize, Tenant } from '@fibre/auth';
import { type Page, Paginated } from '@fibre/pagination';
import { ApiProblems } from '@fibre/problems';
import { Costs } from '@fibre/server';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ChangeModels, NODE_CHANGE, SEARCH_CHANGE } from './node-change.response.js';
import { NodeChangesQuery } from './node-changes.requests.js';

const FOLLOW =
  'For clients that keep a copy: lists each node at the position of its last change, oldest first, including deleted nodes. ' +
  'Follow the `next` link; `[]` means that you have everything up to `x-settled-until`, a few seconds ago: request `next` again later. ' +
  'Following `next` misses nothing, but may return a node twice. Without `since`, the feed starts with all existing nodes and omits earlier deletions.';
const HEADERS = {
  [SETTLED_UNTIL]:
    'All changes before this instant are in the feed: on this page, or on an earlier or later one. Later changes may still be missing.',
};

@Controller('v2/cov')
@ApiTags('Changes')
@ChangeModels()
export class NodeChangesController {
  constructor(@Inject(CHANGE_FEEDS) private readonly feeds: ReadonlyMap<string, ListedFeed>) {}

  @Get('nodes/changes')
  @Authorize('coverage:read')
  @Costs({ limits: ['large pages'] })
  @ApiOperation({ summary: 'List changes to nodes', description: `The production nodes of your tenant. ${FOLLOW}` })
  @Paginated(NODE_CHANGE, 'A page of changes.', HEADERS, true)
  @ApiProblems({ 410: ['changes-gone'] })
  listNodeChanges(@Tenant() tenant: string, @Query() query: NodeChangesQuery): Promise<Page> {
    return this.feeds.get('nodes')!.list({ tenant }, query);
  }

  @Get('search/changes')
  @Authorize('coverage:search', { tenant: false })
  @Costs({ limits: ['large pages'] })
  @ApiOperation({ summary: 'List changes of all operators', description: `The production nodes that the search finds. ${FOLLOW}` })
  @Paginated(SEARCH_CHANGE, 'A page of changes.', HEADERS, true)
  @ApiProblems({ 410: ['changes-gone'] })
  listSearchChanges(@Query() query: NodeChangesQuery): Promise<Page> {
    return this.feeds.get('search')!.list({ tenant: '' }, query);
  }
}
