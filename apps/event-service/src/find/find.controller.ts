import { Authorize, Tenant } from '@fibre/auth';
import { Database } from '@fibre/database';
import { Costs, FindQuery, findRecords, type Found, foundResponse } from '@fibre/server';
import { Controller, Get, Headers, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { KEPT } from '../timeline/steps.sql.js';
import { findPlaces, KINDS } from './find.sql.js';

class FoundResponse extends foundResponse(
  KINDS,
  ['name', ...KEPT, 'usr_reference', 'reference', 'partner_id', 'entity_id', 'event_id'],
  'The name of an ISP; the matching text of an entity, or its id; the entity_id of an event; the reference of a closing.',
) {}

@Controller('api/v2/sys/find')
@ApiTags('Overview')
export class FindController {
  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesService,
  ) {}

  @Get()
  @Authorize('events:read')
  @Costs()
  @ApiOperation({
    summary: 'Find records',
    description:
      'Finds up to ten of your ISPs, entities, events and closings: ISPs with a word of their `name` that begins with a text, entities ' +
      'with an `option82` or `partner_reference` that does, even if their subscription has ended, or with an event whose `usr_reference` does, closings ' +
      'by their `reference`, and all but closings whose id ends with its 8 to 12 characters or begins with 18 or more. Exact matches come first.',
  })
  @ApiOkResponse({ type: [FoundResponse], description: 'The records.' })
  async findRecords(@Tenant() tenant: string, @Headers() { namespace }: NamespaceHeader, @Query() query: FindQuery): Promise<Found[]> {
    return findRecords(this.database, query, findPlaces({ tenant, namespaceId: await this.namespaces.forReading(tenant, namespace) }));
  }
}
