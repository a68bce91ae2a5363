// npm install @nestjs/core@12.5.1 @nestjs/common@12.5.1 @nestjs/platform-express@12.5.1 reflect-metadata@0.2.2 rxjs@7.8.2 standardwebhooks@1.1.1
import 'reflect-metadata';
import { BadRequestException, Controller, Headers, HttpCode, Module, Post, type RawBodyRequest, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env['WEBHOOK_SECRET']!);
const done = new Set<string>(); // in your database, in the same transaction as the changes

@Controller()
class Receiver {
  @Post()
  @HttpCode(204)
  receive(@Req() request: RawBodyRequest<object>, @Headers() headers: Record<string, string>): void {
    const id = headers['webhook-id']!;
    const events = this.verify(request.rawBody!, headers);
    if (!done.has(id)) for (const { type, subject } of events) console.log(type, subject);
    done.add(id);
  }

  private verify(body: Buffer, headers: Record<string, string>): { type: string; subject: string }[] {
    try {
      return webhook.verify(body, headers) as { type: string; subject: string }[];
    } catch {
      throw new BadRequestException();
    }
  }
}

@Module({ controllers: [Receiver] })
class Receivers {}

const app = await NestFactory.create<NestExpressApplication>(Receivers, { rawBody: true, logger: ['error'] });
app.useBodyParser('json', { type: 'application/cloudevents-batch+json', limit: '1mb' });
await app.listen(Number(process.env['PORT']), '127.0.0.1');
