import {
  EnumField,
  Field,
  isWebUrl,
  type Presence,
  Refused,
  Satisfies,
  text,
  TextField,
  type Timestamp,
  TimestampField,
  UuidField,
} from '@fibre/dto';
import { IsBoolean } from 'class-validator';
import type { WebhookFeeds } from './webhook.js';

const MAX_URL = 2_048;
const MAX_DESCRIPTION = 1_000;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The lengths of a name and its labels (RFC 1035), or an IPv6 address. */
const HOST = /^(?=.{1,253}$)([^.]{1,63}\.)*[^.]{1,63}\.?$|^\[/;

/** @param sendsHttp whether http to this machine is allowed, as in development */
function urlFault(value: unknown, sendsHttp: boolean): string | undefined {
  const fault = text(1, MAX_URL)(value);
  if (fault !== undefined) return fault;
  if (!isWebUrl(value) || value.includes('#')) return 'must be an https URL without spaces, backslashes, user and fragment';
  const { protocol, hostname, href } = new URL(value);
  if (protocol !== 'https:' && !(sendsHttp && protocol === 'http:' && LOOPBACK.test(hostname))) return 'must be an https URL';
  if (!HOST.test(hostname)) return 'must have a host whose parts have 1 to 63 characters, 253 in total';
  return href.length > MAX_URL ? `must have at most ${MAX_URL} characters once it is percent-encoded` : undefined;
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

/** The headers of every operation. */
export class WebhookHeaders {
  @Refused('webhooks only follow the production state')
  namespace?: never;
}

/** @param sendsHttp whether http to this machine is allowed, as in development */
const UrlField = (presence: Presence, sendsHttp: boolean): PropertyDecorator =>
  Field(
    {
      description: 'Where the changes are sent: an https URL.',
      example: 'https://crm.example/hooks/fibre',
      presence,
      read: (sent) => (urlFault(sent, sendsHttp) === undefined ? new URL(sent as string).href : sent),
    },
    { type: String, format: 'uri', maxLength: MAX_URL },
    Satisfies((value) => urlFault(value, sendsHttp)),
  );

/** A service's class of requests that create a webhook, without the filters. */
export function newWebhook(feeds: WebhookFeeds, sendsHttp: boolean) {
  class NewWebhook {
    @UrlField('required', sendsHttp)
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
  return NewWebhook;
}
export type NewWebhook = InstanceType<ReturnType<typeof newWebhook>>;

/** A service's class of JSON merge patches (RFC 7396): absent members keep their value, and `null` clears the description. */
export function webhookPatch(sendsHttp: boolean) {
  class WebhookPatch {
    @UrlField('if-present', sendsHttp)
    url?: string;

    @DescriptionField()
    description?: string | null;

    @EnabledField('if-present')
    enabled?: boolean;
  }
  return WebhookPatch;
}
export type WebhookPatch = InstanceType<ReturnType<typeof webhookPatch>>;
