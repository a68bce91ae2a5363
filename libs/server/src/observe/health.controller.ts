import { unavailable } from '@fibre/problems';
import { Public } from '@fibre/auth';
import { Database } from '@fibre/database';
import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

const ALIVE = { status: 'ok' };
const READY = { status: 'ok', details: { database: { status: 'up' }, lifecycle: { status: 'up' } } };

/** Probes for the platform. The ingress routes no requests to them. */
@Controller('health')
@Public(true)
@ApiExcludeController()
export class HealthController {
  /** Set when the service shuts down and accepts no more requests. */
  draining = false;

  constructor(private readonly database: Database) {}

  /** The process responds. This checks nothing else, because a restart would not fix anything else. */
  @Get('live')
  live(): typeof ALIVE {
    return ALIVE;
  }

  /** The service can take requests: it isn't shutting down, and the database responds. */
  @Get('ready')
  async ready(): Promise<typeof READY> {
    if (this.draining) throw unavailable('The service is shutting down.');
    await this.database.ping().catch((error: unknown) => {
      throw unavailable('The service is not ready: the database cannot be reached.', error);
    });
    return READY;
  }
}
