import { port, readEnv, withinRange } from '@fibre/server';
import { bool } from 'envalid';

/** Reads and checks the environment of event-service. */
export const readEventEnv = () =>
  readEnv({
    PORT: port({ default: 3002, desc: 'port to listen on' }),
    NAMESPACES_ENABLED: bool({
      default: false,
      devDefault: true,
      desc: 'whether requests may carry the header namespace; for development and testing',
    }),
    NAMESPACE_RETENTION_DAYS: withinRange(
      1,
      3_650,
    )({ default: 30, desc: 'days without a request after which a namespace is deleted with its events' }),
    FRESH_HOURS: withinRange(1, 8_760)({ default: 24, desc: 'hours after its creation that an event counts as fresh' }),
  });

export type EventEnv = ReturnType<typeof readEventEnv>;
