import { Injectable } from '@nestjs/common';

/** Whether the service still takes new work. Readiness follows it. */
@Injectable()
export class Lifecycle {
  draining = false;
}
