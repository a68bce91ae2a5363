// The least that a service of NestJS with Express, TypeORM and class-validator costs at its start: one route, which validates its query and
// asks the database. It loads the packages as npm installs them. Plain JavaScript, because compiling would be part of the cost.
import 'reflect-metadata';
import { Controller, Get, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IsOptional, IsString, validateOrReject } from 'class-validator';
import { DataSource } from 'typeorm';

const { DATABASE_URL, HOST, PORT } = process.env;

class Question {}
IsOptional()(Question.prototype, 'name');
IsString()(Question.prototype, 'name');

class Health {
  constructor(database) {
    this.database = database;
  }
  async ready(query) {
    await validateOrReject(Object.assign(new Question(), query));
    await this.database.query('select 1');
    return { status: 'ok' };
  }
}
Reflect.defineMetadata('design:paramtypes', [DataSource], Health);
Reflect.defineMetadata('design:paramtypes', [Object], Health.prototype, 'ready');
Query()(Health.prototype, 'ready', 0);
Get('ready')(Health.prototype, 'ready', Object.getOwnPropertyDescriptor(Health.prototype, 'ready'));
Controller('health')(Health);

class App {}
Module({ imports: [TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL })], controllers: [Health] })(App);

const app = await NestFactory.create(App, { logger: false });
await app.listen(Number(PORT), HOST);
// Node.js writes the list of loaded files only if the process ends by itself.
process.once('SIGTERM', () => process.exit());
