import { Authorize, Granted, type Scopes, Tenant } from '@fibre/auth';
import { type Page, PageQuery, Paginated } from '@fibre/pagination';
import { ApiBodyProblems, ApiProblems } from '@fibre/problems';
import { ResponseWithHeaders } from '@fibre/server';
import { Consumes, MERGE_PATCH } from '@fibre/validation';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Patch, Post, Query, type Type } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { WebhookFeeds } from './webhook.js';
import { CreateWebhookHeaders, WebhookPath, webhookRequests } from './webhook.requests.js';
import {
  toWebhookResponse,
  toWebhookWithSecret,
  WebhookResponse,
  WebhookTestResponse,
  WebhookWithSecretResponse,
} from './webhook.response.js';
import { WebhooksService } from './webhooks.service.js';

export interface WebhookApi {
  /** Path of the webhooks, without slashes around it. */
  readonly path: string;
  readonly feeds: WebhookFeeds;
  /** Whether a URL may be http to this machine, in development. */
  readonly sendsHttp: boolean;
}

type Some = readonly [string, ...string[]];

/** Makes the controller of a service: its path and scopes are those of its feeds. */
export function webhooksController({ path, feeds, sendsHttp }: WebhookApi): Type<object> {
  const { CreateWebhookRequest, UpdateWebhookRequest } = webhookRequests(feeds, sendsHttp);
  type CreateWebhookRequest = InstanceType<typeof CreateWebhookRequest>;
  type UpdateWebhookRequest = InstanceType<typeof UpdateWebhookRequest>;
  const read = Object.values(feeds).map((scopes) => scopes.read) as unknown as Some;
  const manage = Object.values(feeds).map((scopes) => scopes.manage) as unknown as Some;

  @Controller(path)
  @ApiTags('Webhooks')
  class WebhooksController {
    constructor(private readonly service: WebhooksService) {}

    @Post()
    @Authorize(manage)
    @ApiOperation({
      summary: 'Create a webhook',
      description: 'Changes are then sent to its URL, signed with the `secret` of the response. A tenant has at most 20.',
    })
    @ApiBody({
      type: CreateWebhookRequest,
      examples: { webhook: { value: { url: 'https://crm.example/hooks/fibre', feed: Object.keys(feeds)[0] } } },
    })
    @ApiCreatedResponse({
      type: WebhookWithSecretResponse,
      description: 'The webhook, and its secret.',
      headers: { Location: { description: 'Path of the webhook.', schema: { type: 'string' } } },
    })
    @ApiBodyProblems({ 409: ['too-many-webhooks'], 410: ['changes-gone'] })
    async createWebhook(
      @Tenant() tenant: string,
      @Granted() granted: Scopes,
      @Headers() _headers: CreateWebhookHeaders,
      @Body() request: CreateWebhookRequest,
    ): Promise<ResponseWithHeaders<WebhookWithSecretResponse>> {
      const webhook = await this.service.create(tenant, granted, request);
      return new ResponseWithHeaders(toWebhookWithSecret(webhook), { location: `/${path}/${webhook.webhook_id}/` });
    }

    @Get()
    @Authorize(read)
    @ApiOperation({ summary: 'List webhooks', description: 'Those of feeds that the token may read, oldest first.' })
    @Paginated(WebhookResponse, 'A page of webhooks.')
    @ApiProblems({ 422: ['invalid-request'] })
    listWebhooks(@Tenant() tenant: string, @Granted() granted: Scopes, @Query() query: PageQuery): Promise<Page> {
      return this.service.list(tenant, granted, query);
    }

    @Get(':webhook_id')
    @Authorize(read)
    @ApiOperation({
      summary: 'Read a webhook',
      description: 'Without its secret. There is no entity tag, because every delivery changes the state.',
    })
    @ApiOkResponse({ type: WebhookResponse, description: 'The webhook.' })
    @ApiProblems({ 404: ['not-found'], 422: ['invalid-request'] })
    async readWebhook(
      @Tenant() tenant: string,
      @Granted() granted: Scopes,
      @Param() { webhook_id }: WebhookPath,
    ): Promise<WebhookResponse> {
      return toWebhookResponse(await this.service.read(tenant, granted, webhook_id));
    }

    @Patch(':webhook_id')
    @Authorize(manage)
    @Consumes('application/json', MERGE_PATCH)
    @ApiOperation({
      summary: 'Update a webhook',
      description:
        'A JSON merge patch (RFC 7396): absent members stay, `null` clears the description. It is looked at again within 30 seconds.',
    })
    @ApiConsumes('application/json', MERGE_PATCH)
    @ApiBody({ type: UpdateWebhookRequest, examples: { enable: { value: { enabled: true } } } })
    @ApiOkResponse({ type: WebhookResponse, description: 'The webhook as it is now.' })
    @ApiBodyProblems({ 404: ['not-found'] })
    async updateWebhook(
      @Tenant() tenant: string,
      @Granted() granted: Scopes,
      @Param() { webhook_id }: WebhookPath,
      @Body() request: UpdateWebhookRequest,
    ): Promise<WebhookResponse> {
      return toWebhookResponse(await this.service.update(tenant, granted, webhook_id, request));
    }

    @Delete(':webhook_id')
    @HttpCode(204)
    @Authorize(manage)
    @ApiOperation({ summary: 'Delete a webhook', description: 'Nothing is sent any more, and its place is forgotten.' })
    @ApiNoContentResponse({ description: 'The webhook is gone; a batch that is on its way still arrives.' })
    @ApiProblems({ 404: ['not-found'], 422: ['invalid-request'] })
    deleteWebhook(@Tenant() tenant: string, @Granted() granted: Scopes, @Param() { webhook_id }: WebhookPath): Promise<void> {
      return this.service.delete(tenant, granted, webhook_id);
    }

    @Post(':webhook_id/test')
    @HttpCode(200)
    @Authorize(manage)
    @ApiOperation({
      summary: 'Test a webhook',
      description: 'Sends one event of type `open-access-fibre.webhook.test`, and waits for the response.',
    })
    @ApiOkResponse({ type: WebhookTestResponse, description: 'What became of it.' })
    @ApiProblems({ 404: ['not-found'], 422: ['invalid-request'] })
    testWebhook(@Tenant() tenant: string, @Granted() granted: Scopes, @Param() { webhook_id }: WebhookPath): Promise<WebhookTestResponse> {
      return this.service.test(tenant, granted, webhook_id);
    }

    @Post(':webhook_id/rotate')
    @HttpCode(200)
    @Authorize(manage)
    @ApiOperation({ summary: 'Rotate the secret of a webhook', description: 'For a day the secret before it signs too.' })
    @ApiOkResponse({ type: WebhookWithSecretResponse, description: 'The webhook, and its new secret.' })
    @ApiProblems({ 404: ['not-found'], 422: ['invalid-request'] })
    async rotateWebhookSecret(
      @Tenant() tenant: string,
      @Granted() granted: Scopes,
      @Param() { webhook_id }: WebhookPath,
    ): Promise<WebhookWithSecretResponse> {
      return toWebhookWithSecret(await this.service.rotate(tenant, granted, webhook_id));
    }
  }
  return WebhooksController;
}
