import { Authorize, Tenant } from '@fibre/auth';
import { Database } from '@fibre/database';
import { Costs, FindQuery, findRecords, type Found, foundResponse } from '@fibre/server';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { findPlaces, KINDS } from './find.sql.js';

class FoundResponse extends foundResponse(
  KINDS,
  ['name', 'customer_reference', 'address_id', 'address', 'relation_id', 'node_id'],
  'The name of a relation; the matching reference or address of a node, or the center of a node that was found by its id.',
) {}

@Controller('v2/cov/find')
@ApiTags('Overview')
export class FindController {
  constructor(private readonly database: Database) {}

  @Get()
  @Authorize('coverage:read')
  @Costs()
  @ApiOperation({
    summary: 'Find records',
    description:
      'Finds up to ten of your relations and nodes: relations with a word of their `name` that begins with a text, nodes whose ' +
      '`customer_reference` or `address_id` does, nodes whose `address` has all words of the text, and all whose id ends with its 8 to 12 characters or begins with 18 or more. Exact matches come first.',
  })
  @ApiOkResponse({ type: [FoundResponse], description: 'The records.' })
  findRecords(@Tenant() tenant: string, @Query() query: FindQuery): Promise<Found[]> {
    return findRecords(this.database, query, findPlaces(tenant));
  }
}
