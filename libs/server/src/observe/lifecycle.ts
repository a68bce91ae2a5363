import { Injectable } from '@nestjs/common';

/** Whether the service still accepts new work; the readiness probe tells. */
@Injectable()
export class Lifecycle {
  draining = false;
}
