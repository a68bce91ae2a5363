import { origins, port, readEnv, withinRange } from '@fibre/server';
import { bool, str } from 'envalid';
import { ISPS_MODES } from './isps/isp.js';

/** Where the portal stands in development: as coverage-service serves it, and Vite. */
const PORTAL_ORIGINS = ['http://127.0.0.1:3001', 'http://localhost:3001', 'http://127.0.0.1:5173', 'http://localhost:5173'];

/** Reads and checks the environment of event-service. */
export const readEventEnv = () =>
  readEnv({
    PORT: port({ default: 3002, desc: 'port to listen on' }),
    CORS_ORIGINS: origins({ default: [], devDefault: PORTAL_ORIGINS, desc: 'origins whose pages may call the API; none by default' }),
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
    ISPS: str({
      default: 'open',
      choices: ISPS_MODES,
      desc: 'whether the ISP of an activation may be any UUID (open) or has to be in the registry (registered)',
    }),
  });

export type EventEnv = ReturnType<typeof readEventEnv>;
