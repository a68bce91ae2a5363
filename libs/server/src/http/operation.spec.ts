import 'reflect-metadata';
import { Authorize, Public } from '@fibre/auth';
import { Controller, Get, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Costs, costsOfRoutes } from './operation.js';

@Controller('declared')
class DeclaredController {
  @Get('all')
  @Authorize('coverage:read')
  @Costs({ limits: ['large pages'] })
  readAll(): void {}

  @Get('probe')
  @Public(true)
  readProbe(): void {}

  @Get('one')
  @Authorize('coverage:read')
  @Costs()
  readOne(): void {}
}

@Controller('forgotten')
class ForgottenController {
  @Get()
  @Authorize('coverage:read')
  readForgotten(): void {}
}

async function costsOf(...controllers: Type<object>[]) {
  @Module({ controllers })
  class AppModule {}
  const app = await NestFactory.create(AppModule, { logger: false });
  try {
    return Object.fromEntries(costsOfRoutes(app));
  } finally {
    await app.close();
  }
}

test('every route that needs a token says what it costs', async () => {
  await expect(costsOf(DeclaredController)).resolves.toEqual({ readAll: { limits: ['large pages'] }, readOne: {} });
});

test('a service with a route that does not say what it costs does not start', async () => {
  await expect(costsOf(DeclaredController, ForgottenController)).rejects.toThrow(
    'these routes do not declare what they cost, with @Costs: readForgotten',
  );
});
