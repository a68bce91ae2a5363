import { ApiBody, ApiExtraModels, ApiProperty, getSchemaPath, OmitType } from '@nestjs/swagger';
import { applyDecorators, type Type } from '@nestjs/common';
import type { EventType } from '../timeline/timeline.js';
import { RecordEventRequest } from './event.requests.js';
import { ActivationAttributes, NotificationAttributes, UpdateAttributes } from '../event-attributes/sys-attributes.js';

class CommonMembers extends OmitType(RecordEventRequest, ['event_type', 'sys_attributes']) {}

export class ActivationRequest extends CommonMembers {
  @ApiProperty({ type: String, enum: ['activation'], description: 'The subscription begins. Core attribute.' })
  event_type!: 'activation';

  @ApiProperty({ type: ActivationAttributes, description: 'Core attribute.' })
  sys_attributes!: ActivationAttributes;
}

export class UpdateRequest extends CommonMembers {
  @ApiProperty({ type: String, enum: ['update'], description: 'The subscription changes. Core attribute.' })
  event_type!: 'update';

  @ApiProperty({ type: UpdateAttributes, description: 'Core attribute.' })
  sys_attributes!: UpdateAttributes;
}

export class DeactivationRequest extends CommonMembers {
  @ApiProperty({ type: String, enum: ['deactivation'], description: 'The subscription ends. Core attribute.' })
  event_type!: 'deactivation';
}

export class NotificationRequest extends CommonMembers {
  @ApiProperty({ type: String, enum: ['notification'], description: 'Information only, allowed at any time. Core attribute.' })
  event_type!: 'notification';

  @ApiProperty({ type: NotificationAttributes, required: false, description: 'Core attribute.' })
  sys_attributes?: NotificationAttributes | null;
}

/** The OpenAPI schema of each event type; {@link RecordEventRequest} validates requests. */
const BODIES: Readonly<Record<EventType, Type<object>>> = {
  activation: ActivationRequest,
  update: UpdateRequest,
  deactivation: DeactivationRequest,
  notification: NotificationRequest,
};

const entity_id = '0192d3a5-7c10-7f3a-9b1e-5a4c1f2e6d01';
/** The examples form one timeline. Sent in this order, each request returns 201 the first time and 200 when repeated. */
const EXAMPLES: Readonly<Record<EventType, { summary: string; value: object }>> = {
  activation: {
    summary: '1. activation',
    value: {
      entity_id,
      event_type: 'activation',
      event_at: '2026-01-15T09:30:00+01:00',
      sys_attributes: {
        partner_id: '0192d3a5-7c10-7b2c-8d4f-1e6a9c3b5f02',
        article_codes: ['FIBRE-100'],
        option82: 'OLT-VIE-07 xpon 0/3/0/12',
        partner_reference: 'ORDER-2026-0042',
      },
      usr_reference: 'CONTRACT-1001',
    },
  },
  update: {
    summary: '2. update',
    value: {
      entity_id,
      event_type: 'update',
      event_at: '2026-03-01T00:00:00+01:00',
      sys_attributes: { article_codes: ['FIBRE-300', 'STATIC-IP'] },
    },
  },
  notification: {
    summary: '3. notification',
    value: {
      entity_id,
      event_type: 'notification',
      event_at: '2026-04-10T02:00:00+02:00',
      comment: 'Line maintenance from 2 to 4 a.m.',
      usr_attributes: { ticket: 'NOC-518', minutes: 120 },
    },
  },
  deactivation: {
    summary: '4. deactivation',
    value: { entity_id, event_type: 'deactivation', event_at: '2026-05-31T23:59:59+02:00', comment: 'End of contract.' },
  },
};

/** Documents the body for each event type. */
export const RecordEventBody = (): MethodDecorator => {
  const mapping = Object.fromEntries(Object.entries(BODIES).map(([type, body]) => [type, getSchemaPath(body)]));
  return applyDecorators(
    ApiExtraModels(...Object.values(BODIES)),
    ApiBody({
      schema: { oneOf: Object.values(mapping).map(($ref) => ({ $ref })), discriminator: { propertyName: 'event_type', mapping } },
      examples: EXAMPLES,
    }),
  );
};
