import { Actor, Authorize, Tenant } from '@fibre/auth';
import { ApiBodyProblems, ApiProblems } from '@fibre/problems';
import { Costs, ResponseWithHeaders } from '@fibre/server';
import { Body, Controller, Get, Headers, Param, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { EventConflictResponse } from '../timeline/event-conflict.response.js';
import { EventPath, RecordEventQuery, RecordEventRequest } from './event.requests.js';
import { EventResponse, RecordedEventResponse } from './event.response.js';
import { RecordEventBody } from './record-event.openapi.js';
import { EventsService, type RecordedEvent } from './events.service.js';

const PATH = 'api/v2/sys/events';
const location = { Location: { description: 'Path of the event.', schema: { type: 'string' as const } } };

function toResponse({ outcome, json, eventId }: RecordedEvent): ResponseWithHeaders<string> {
  if (outcome === 'repeated') return new ResponseWithHeaders(json, {}, 200);
  return new ResponseWithHeaders(json, { location: `/${PATH}/${eventId}/` }, 201);
}

@Controller(PATH)
@ApiTags('Events')
export class EventsController {
  constructor(private readonly service: EventsService) {}

  @Put()
  @RecordEventBody()
  @Authorize('events:write')
  @Costs()
  @ApiOperation({
    summary: 'Record an event',
    description:
      'Safe to repeat: after a timeout, send the same request again. An event with the same core attributes is never created twice; ' +
      'its user attributes are replaced by those of the last request. With `dry_run=true`, the response says what the request would do.',
  })
  @ApiOkResponse({
    type: RecordedEventResponse,
    description: 'The event already exists with the same attributes, and nothing was written; or the outcome of a dry run.',
  })
  @ApiCreatedResponse({
    type: EventResponse,
    headers: location,
    description: 'The event was created, or its user attributes were overwritten.',
  })
  @ApiBodyProblems(
    { 409: ['event-order', 'event-time-taken'], 422: ['invalid-request', 'event-in-future'] },
    { 409: EventConflictResponse },
  )
  async recordEvent(
    @Tenant() tenant: string,
    @Actor() actor: string | null,
    @Headers() { namespace }: NamespaceHeader,
    @Query() { dry_run }: RecordEventQuery,
    @Body() request: RecordEventRequest,
  ): Promise<ResponseWithHeaders<string | RecordedEventResponse>> {
    if (dry_run === 'true') return new ResponseWithHeaders({ outcome: await this.service.predict(tenant, namespace, request) }, {}, 200);
    return toResponse(await this.service.record(tenant, actor, namespace, request));
  }

  @Get(':event_id')
  @Authorize('events:read')
  @Costs()
  @ApiOperation({ summary: 'Read an event', description: 'Returns an event by its id, in the namespace where it was recorded.' })
  @ApiOkResponse({ type: EventResponse, description: 'The event.' })
  @ApiProblems({ 404: ['not-found'] })
  async readEvent(
    @Tenant() tenant: string,
    @Headers() { namespace }: NamespaceHeader,
    @Param() path: EventPath,
  ): Promise<ResponseWithHeaders<string>> {
    return new ResponseWithHeaders(await this.service.read(tenant, namespace, path.event_id));
  }
}
