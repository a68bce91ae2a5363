import { Module } from '@nestjs/common';
import { FindController } from './find.controller.js';

/** Finds a tenant's records by what their names, references or ids begin with. */
@Module({ controllers: [FindController] })
export class FindModule {}
