import { Actor, Authorize, Granted, type Scopes, Tenant } from '@fibre/auth';
import { OrderedPageQuery, type Page, Paginated } from '@fibre/pagination';
import { ApiProblems } from '@fibre/problems';
import { Costs, recordOperations, ResponseWithHeaders } from '@fibre/server';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Query, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, IntersectionType } from '@nestjs/swagger';
import type { WebhookFeeds } from './webhook.js';
import { newWebhook, WebhookHeaders, WebhookPath, webhookPatch } from './webhook.requests.js';
import { ShownWebhook, toWebhookResponse, toWebhookWithSecret, WebhookSecret, WebhookTestResponse } from './webhook.response.js';
import { WebhooksService } from './webhooks.service.js';

export interface WebhookApi {
  /** Path of the webhooks, without leading or trailing slashes. */
  readonly path: string;
  readonly feeds: WebhookFeeds;
  /** The filters of the feeds, which are the same for all of them: as clients send them, and as responses show them. */
  readonly filters: { readonly sent: Type<object>; readonly shown: Type<object> };
  /** Whether URLs may use http to this machine, as in development. */
  readonly sendsHttp: boolean;
}

const { Creates, Reads, Patches, Deletes } = recordOperations('webhook', { versioned: false });

type Some = readonly [string, ...string[]];

/** Creates a service's controller for the webhooks of its feeds. */
export function webhooksController({ path, feeds, filters, sendsHttp }: WebhookApi): Type<object> {
  class CreateWebhookRequest extends IntersectionType(newWebhook(feeds, sendsHttp), filters.sent) {}
  class UpdateWebhookRequest extends webhookPatch(sendsHttp) {}
  class WebhookResponse extends IntersectionType(ShownWebhook, filters.shown) {}
  class WebhookWithSecretResponse extends IntersectionType(WebhookResponse, WebhookSecret) {}
  const read = Object.values(feeds).map((scopes) => scopes.read) as unknown as Some;
  const manage = Object.values(feeds).map((scopes) => scopes.manage) as unknown as Some;

  @Controller(path)
  @ApiTags('Webhooks')
  class WebhooksController {
    constructor(private readonly service: WebhooksService) {}

    @Post()
    @Authorize(manage)
    @Costs()
    @Creates(WebhookWithSecretResponse, {
      summary: 'Create a webhook',
      description:
        "Changes are sent to the webhook's URL, signed with the `secret` in this response. The request can also contain the feed's filters. " +
        'A tenant has at most 20 webhooks.',
      body: {
        type: CreateWebhookRequest,
        examples: { webhook: { value: { url: 'https://crm.example/hooks/fibre', feed: Object.keys(feeds)[0] } } },
      },
      returns: 'The webhook with its secret.',
      problems: { 409: ['too-many-webhooks'], 410: ['changes-gone'] },
    })
    async createWebhook(
      @Tenant() tenant: string,
      @Actor() actor: string | null,
      @Granted() granted: Scopes,
      @Headers() _headers: WebhookHeaders,
      @Body() request: CreateWebhookRequest,
    ): Promise<ResponseWithHeaders<WebhookWithSecretResponse>> {
      const webhook = await this.service.create(tenant, actor, granted, request);
      return new ResponseWithHeaders(toWebhookWithSecret(webhook), { location: `/${path}/${webhook.webhook_id}/` });
    }

    @Get()
    @Authorize(read)
    @Costs({ limits: ['large pages'] })
    @ApiOperation({
      summary: 'List webhooks',
      description: 'Oldest first by default. Lists only webhooks for feeds that the token may read.',
    })
    @Paginated(WebhookResponse, 'A page of webhooks.')
    listWebhooks(
      @Tenant() tenant: string,
      @Granted() granted: Scopes,
      @Headers() _headers: WebhookHeaders,
      @Query() query: OrderedPageQuery,
    ): Promise<Page> {
      return this.service.list(tenant, granted, query);
    }

    @Get(':webhook_id')
    @Authorize(read)
    @Costs()
    @Reads(WebhookResponse, {
      summary: 'Read a webhook',
      description: 'Without its secret. There is no entity tag, because every delivery changes the state of the webhook.',
    })
    async readWebhook(
      @Tenant() tenant: string,
      @Granted() granted: Scopes,
      @Headers() _headers: WebhookHeaders,
      @Param() { webhook_id }: WebhookPath,
    ): Promise<WebhookResponse> {
      return toWebhookResponse(await this.service.read(tenant, granted, webhook_id));
    }

    @Patch(':webhook_id')
    @Authorize(manage)
    @Costs()
    @Patches(WebhookResponse, {
      summary: 'Update a webhook',
      description:
        'A JSON merge patch (RFC 7396): absent members keep their value, and `null` clears the description. ' +
        'Delivery continues within 30 seconds.',
      body: { type: UpdateWebhookRequest, examples: { enable: { value: { enabled: true } } } },
    })
    async updateWebhook(
      @Tenant() tenant: string,
      @Actor() actor: string | null,
      @Granted() granted: Scopes,
      @Headers() _headers: WebhookHeaders,
      @Param() { webhook_id }: WebhookPath,
      @Body() request: UpdateWebhookRequest,
    ): Promise<WebhookResponse> {
      return toWebhookResponse(await this.service.update(tenant, actor, granted, webhook_id, request));
    }

    @Delete(':webhook_id')
    @Authorize(manage)
    @Costs()
    @Deletes({
      summary: 'Delete a webhook',
      description: 'Nothing more is sent.',
      returns: 'The webhook was deleted; a batch that is being sent may still arrive.',
    })
    deleteWebhook(
      @Tenant() tenant: string,
      @Granted() granted: Scopes,
      @Headers() _headers: WebhookHeaders,
      @Param() { webhook_id }: WebhookPath,
    ): Promise<void> {
      return this.service.delete(tenant, granted, webhook_id);
    }

    @Post(':webhook_id/test')
    @HttpCode(200)
    @Authorize(manage)
    @Costs({ limits: ['tests of webhooks'] })
    @ApiOperation({
      summary: 'Test a webhook',
      description: 'Sends one event of type `open-access-fibre.webhook.test`, and waits for the response.',
    })
    @ApiOkResponse({ type: WebhookTestResponse, description: 'Whether the event was delivered.' })
    @ApiProblems({ 404: ['not-found'] })
    testWebhook(
      @Tenant() tenant: string,
      @Granted() granted: Scopes,
      @Headers() _headers: WebhookHeaders,
      @Param() { webhook_id }: WebhookPath,
    ): Promise<WebhookTestResponse> {
      return this.service.test(tenant, granted, webhook_id);
    }

    @Post(':webhook_id/rotate')
    @HttpCode(200)
    @Authorize(manage)
    @Costs()
    @ApiOperation({ summary: 'Rotate the secret of a webhook', description: 'For a day, batches are signed with both secrets.' })
    @ApiOkResponse({ type: WebhookWithSecretResponse, description: 'The webhook with its new secret.' })
    @ApiProblems({ 404: ['not-found'] })
    async rotateWebhookSecret(
      @Tenant() tenant: string,
      @Actor() actor: string | null,
      @Granted() granted: Scopes,
      @Headers() _headers: WebhookHeaders,
      @Param() { webhook_id }: WebhookPath,
    ): Promise<WebhookWithSecretResponse> {
      return toWebhookWithSecret(await this.service.rotate(tenant, actor, granted, webhook_id));
    }
  }
  return WebhooksController;
}
