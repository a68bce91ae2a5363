import { EnumField, Field, type Presence, Refused, Satisfies, TextField, type Timestamp, TimestampField, UuidField } from '@fibre/dto';
import { IsBoolean } from 'class-validator';
import type { WebhookFeeds, WithFilters } from './webhook.js';

const MAX_URL = 2_048;
const MAX_DESCRIPTION = 1_000;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @param sendsHttp whether http to this machine is allowed, as in development */
function urlFault(value: unknown, sendsHttp: boolean): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL || !URL.canParse(value)) return `must be a URL of at most ${MAX_URL} characters`;
  const { protocol, hostname, username, password, hash } = new URL(value);
  if (protocol !== 'https:' && !(sendsHttp && protocol === 'http:' && LOOPBACK.test(hostname))) return 'must be an https URL';
  return username || password || hash ? 'must not contain a user, a password or a fragment' : undefined;
}

const DescriptionField = (): PropertyDecorator =>
  TextField(1, MAX_DESCRIPTION, { description: 'Your own description.', presence: 'optional' });
const EnabledField = (presence: Presence): PropertyDecorator =>
  Field(
    { description: 'Whether changes are sent. When it is `true` again, delivery continues where it stopped.', presence },
    { type: Boolean },
    IsBoolean({ message: 'must be true or false' }),
  );

export class WebhookPath {
  @UuidField({ description: 'The webhook.' })
  webhook_id!: string;
}

export class CreateWebhookHeaders {
  @Refused('webhooks only follow the production state')
  namespace?: never;
}

/** Creates a service's classes for webhook requests. */
export function webhookRequests(feeds: WebhookFeeds, withFilters: WithFilters, sendsHttp: boolean) {
  const UrlField = (presence: Presence): PropertyDecorator =>
    Field(
      { description: 'Where the changes are sent: an https URL.', example: 'https://crm.example/hooks/fibre', presence },
      { type: String, format: 'uri', maxLength: MAX_URL },
      Satisfies((value) => urlFault(value, sendsHttp)),
    );

  class NewWebhook {
    @UrlField('required')
    url!: string;

    @EnumField(Object.keys(feeds), { description: 'The change feed that the webhook follows.' })
    feed!: string;

    @DescriptionField()
    description?: string | null;

    @EnabledField('optional')
    enabled?: boolean | null;

    @TimestampField({ description: 'Changes from this time on are sent. If absent, changes from now on.', presence: 'optional' })
    since?: Timestamp | null;
  }
  class CreateWebhookRequest extends withFilters(NewWebhook, 'optional') {}

  /** A JSON merge patch (RFC 7396): absent members keep their value, and `null` clears the description. */
  class UpdateWebhookRequest {
    @UrlField('if-present')
    url?: string;

    @DescriptionField()
    description?: string | null;

    @EnabledField('if-present')
    enabled?: boolean;
  }
  return { CreateWebhookRequest, UpdateWebhookRequest };
}

export type CreateWebhook = InstanceType<ReturnType<typeof webhookRequests>['CreateWebhookRequest']>;
export type UpdateWebhook = InstanceType<ReturnType<typeof webhookRequests>['UpdateWebhookRequest']>;
