import { CreatedBy, formatTimestamp, ModifiedBy } from '@fibre/dto';
import { ApiProperty } from '@nestjs/swagger';
import type { Webhook } from './webhook.entity.js';

export const STATES = ['active', 'failing', 'disabled'] as const;
const Time = (description: string, required = true): PropertyDecorator =>
  ApiProperty({ type: String, format: 'date-time', description, example: '2026-02-01T16:00:14.305+00:00', required });

/** A webhook as every response shows it, without its filters. */
export class ShownWebhook {
  @ApiProperty({ type: String, format: 'uuid', description: 'Id of the webhook, assigned by the service.' })
  webhook_id!: string;

  @ApiProperty({ type: String, description: 'Where the changes are sent.', example: 'https://crm.example/hooks/fibre' })
  url!: string;

  @ApiProperty({ type: String, description: 'The change feed that the webhook follows.' })
  feed!: string;

  @ApiProperty({ type: String, required: false, description: 'Your own description.' })
  description?: string;

  @ApiProperty({ type: Boolean, description: 'Whether changes are sent. The service sets it to false after three days of failures.' })
  enabled!: boolean;

  @Time('Changes are sent from this time on.')
  since!: string;

  @ApiProperty({
    type: String,
    enum: [...STATES],
    description:
      '`active`: the last batch was delivered, or there has not been one yet. `failing`: the last batch was not delivered, and is sent again. ' +
      '`disabled`: nothing is sent.',
  })
  state!: (typeof STATES)[number];

  @Time('All changes up to this time have been delivered.')
  delivered_until!: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'HTTP status of the response to the last batch; absent if there was no response.',
  })
  last_status?: number;

  @ApiProperty({ type: String, required: false, description: 'Why the last batch was not delivered.' })
  last_error?: string;

  @Time('When deliveries began to fail.', false)
  failing_since?: string;

  @ApiProperty({ type: String, description: 'The tenant that owns the webhook.' })
  tenant!: string;

  @Time('When it was created.')
  created_at!: string;

  @CreatedBy()
  created_by?: string;

  @Time('When you last changed it.')
  modified_at!: string;

  @ModifiedBy()
  modified_by?: string;
}

/** Only shown on creation and on rotation. */
export class WebhookSecret {
  @ApiProperty({
    type: String,
    description: 'For verifying the signatures. Store the secret: it is not shown again.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret!: string;
}

export class WebhookTestResponse {
  @ApiProperty({ type: Boolean, description: 'Whether the receiver responded with 2xx within 10 seconds.' })
  delivered!: boolean;

  @ApiProperty({ type: 'integer', required: false, description: 'HTTP status of the response; absent if there was none.' })
  status?: number;

  @ApiProperty({ type: String, required: false, description: 'Why the event was not delivered.' })
  error?: string;
}

export const toWebhookResponse = (webhook: Webhook): ShownWebhook => ({
  webhook_id: webhook.webhook_id,
  url: webhook.url,
  feed: webhook.feed,
  ...webhook.filters,
  description: webhook.description ?? undefined,
  enabled: webhook.enabled,
  since: formatTimestamp(webhook.since),
  state: !webhook.enabled ? 'disabled' : webhook.failing_since ? 'failing' : 'active',
  delivered_until: formatTimestamp(webhook.delivered_until),
  last_status: webhook.last_status ?? undefined,
  last_error: webhook.last_error ?? undefined,
  failing_since: webhook.failing_since ? formatTimestamp(webhook.failing_since) : undefined,
  tenant: webhook.tenant,
  created_at: formatTimestamp(webhook.created_at),
  created_by: webhook.created_by ?? undefined,
  modified_at: formatTimestamp(webhook.modified_at),
  modified_by: webhook.modified_by ?? undefined,
});

export const toWebhookWithSecret = (webhook: Webhook): ShownWebhook & WebhookSecret => ({
  ...toWebhookResponse(webhook),
  secret: webhook.secret,
});
