import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebhookDelivery } from './sending/webhook-delivery.js';
import { WEBHOOK_FEEDS } from './webhook.js';
import { ReceiverAddresses } from './sending/receiver-addresses.js';
import { Webhook } from './webhook.entity.js';
import { WebhookSender } from './sending/webhook-sender.js';
import { type WebhookApi, webhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

export interface WebhooksOptions extends WebhookApi {
  /** Addresses and ranges (CIDR) to which webhooks may send although they are not public. */
  readonly allowedAddresses: readonly string[];
}

/** Webhooks: the service sends its feeds to each webhook, and stores how far each one has got. */
@Module({})
export class WebhooksModule {
  static forRoot({ allowedAddresses, ...api }: WebhooksOptions): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [TypeOrmModule.forFeature([Webhook])],
      controllers: [webhooksController(api)],
      providers: [
        WebhooksRepository,
        WebhooksService,
        WebhookDelivery,
        { provide: WebhookSender, useValue: new WebhookSender(new ReceiverAddresses(allowedAddresses)) },
        { provide: WEBHOOK_FEEDS, useValue: api.feeds },
      ],
    };
  }
}
