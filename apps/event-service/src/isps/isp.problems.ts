import { invalidRequest, Problem, ProblemResponse } from '@fibre/problems';
import { ApiProperty } from '@nestjs/swagger';
import type { NamedEvent } from '../timeline/timeline.js';

class ConflictingIsp {
  @ApiProperty({ type: String, format: 'uuid', description: 'The ISP that has the name or tenant.' })
  partner_id!: string;
}

/** Body of a 409, for the OpenAPI document. */
export class IspConflictResponse extends ProblemResponse {
  @ApiProperty({ type: [ConflictingIsp], description: 'The conflicting ISP.' })
  conflicts_with!: ConflictingIsp[];
}

const TAKEN = {
  name: { code: 'isp-name-taken', title: 'The name is taken' },
  isp_tenant: { code: 'isp-tenant-taken', title: 'The tenant is taken' },
};

/** @param holder partner_id of the ISP that has this value in a field that is unique */
export const ispTaken = (field: keyof typeof TAKEN, value: string, holder: string): Problem =>
  new Problem(409, TAKEN[field].code, TAKEN[field].title, {
    detail: `Another ISP has the ${field} ${JSON.stringify(value)}: ${holder}.`,
    hint: 'Update or delete that ISP, or choose another value.',
    extensions: { conflicts_with: [{ partner_id: holder }] },
  });

/** @param event one of the events that name it */
export const ispInUse = (partnerId: string, event: NamedEvent): Problem =>
  new Problem(409, 'isp-in-use', 'Events refer to this ISP', {
    detail: `The ${event.event_type} of ${event.event_at} (${event.event_id}) names ${partnerId} as its partner_id, and events are never deleted.`,
    hint: 'The ISP cannot be deleted. You can replace its other fields.',
    extensions: { conflicts_with: [{ event_id: event.event_id, event_type: event.event_type, event_at: event.event_at }] },
  });

/** An activation names an unregistered ISP while `registered` mode is on. */
export const ispNotRegistered = (partnerId: string): Problem =>
  invalidRequest(
    [{ pointer: '#/sys_attributes/partner_id', detail: 'is not a registered ISP' }],
    `Register it first: PUT /api/v2/sys/isps/${partnerId}/`,
  );
