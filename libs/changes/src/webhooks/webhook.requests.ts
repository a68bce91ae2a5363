import {
  EnumField,
  Field,
  type FieldOptions,
  membersOf,
  ReadOnly,
  Refused,
  Satisfies,
  TextField,
  type Timestamp,
  TimestampField,
  UuidField,
} from '@fibre/dto';
import { IsBoolean, IsObject, ValidateNested } from 'class-validator';
import type { WebhookFeeds } from './webhook.js';

const MAX_URL = 2_048;
const MAX_DESCRIPTION = 1_000;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @param sendsHttp whether http to this machine is good enough, in development */
function urlFault(value: unknown, sendsHttp: boolean): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL || !URL.canParse(value)) return `must be a URL of at most ${MAX_URL} characters`;
  const { protocol, hostname, username, password, hash } = new URL(value);
  if (protocol !== 'https:' && !(sendsHttp && protocol === 'http:' && LOOPBACK.test(hostname))) return 'must be an https URL';
  return username || password || hash ? 'must not contain a user, a password or a fragment' : undefined;
}

const DescriptionField = (): PropertyDecorator =>
  TextField(1, MAX_DESCRIPTION, { description: 'Your own description.', presence: 'optional' });
const EnabledField = (): PropertyDecorator =>
  Field(
    { description: 'Whether changes are sent. Once `true` again, it continues where it stopped.', presence: 'if-present' },
    { type: Boolean },
    IsBoolean({ message: 'must be true or false' }),
  );

export class WebhookPath {
  @UuidField({ description: 'The webhook.' })
  webhook_id!: string;
}

export class CreateWebhookHeaders {
  @Refused('webhooks follow the production state only')
  namespace?: never;
}

/** The request classes of a service. */
export function webhookRequests(feeds: WebhookFeeds, sendsHttp: boolean) {
  const filtersOf = Object.entries(feeds).map(
    ([feed, { filters }]) => `\`${feed}\` has ${[...membersOf(filters).keys()].map((name) => `\`${name}\``).join(', ')}`,
  );
  const UrlField = (options: Partial<FieldOptions> = {}): PropertyDecorator =>
    Field(
      { description: 'Where the changes are sent: an https URL.', example: 'https://crm.example/hooks/fibre', ...options },
      { type: String, format: 'uri', maxLength: MAX_URL },
      Satisfies((value) => urlFault(value, sendsHttp)),
    );

  class CreateWebhookRequest {
    @UrlField()
    url!: string;

    @EnumField(Object.keys(feeds), { description: 'What it follows: the changes that are listed under this name.' })
    feed!: string;

    @Field(
      {
        description: `Filters of that feed; absent: all changes. ${filtersOf.join('; ')}.`,
        presence: 'if-present',
        nested: ({ feed }) => (Object.hasOwn(feeds, String(feed)) ? feeds[String(feed)]!.filters : undefined),
      },
      { type: 'object', additionalProperties: { type: 'string' } },
      IsObject({ message: 'must be an object' }),
      ValidateNested(),
    )
    filters?: object;

    @DescriptionField()
    description?: string | null;

    @EnabledField()
    enabled?: boolean;

    @TimestampField({ description: 'Changes from this time on; absent: from now on.', presence: 'if-present' })
    since?: Timestamp;
  }

  /** A JSON merge patch (RFC 7396): absent members stay, `null` clears the description. */
  class UpdateWebhookRequest {
    @UrlField({ presence: 'if-present' })
    url?: string;

    @DescriptionField()
    description?: string | null;

    @EnabledField()
    enabled?: boolean;

    @ReadOnly()
    feed?: never;

    @ReadOnly()
    filters?: never;

    @ReadOnly()
    since?: never;

    @ReadOnly()
    state?: never;
  }
  return { CreateWebhookRequest, UpdateWebhookRequest };
}

export type CreateWebhook = InstanceType<ReturnType<typeof webhookRequests>['CreateWebhookRequest']>;
export type UpdateWebhook = InstanceType<ReturnType<typeof webhookRequests>['UpdateWebhookRequest']>;
