import { Injectable } from '@nestjs/common';

/** Whether the service still accepts requests, for the readiness probe. */
@Injectable()
export class Lifecycle {
  draining = false;
}
