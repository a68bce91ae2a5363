import { origins, port, readEnv, wholeNumber } from '@fibre/server';
import { bool, str } from 'envalid';

/** Origins of the portal in development: served by coverage-service, and by Vite. */
const PORTAL_ORIGINS = ['http://127.0.0.1:3001', 'http://localhost:3001', 'http://127.0.0.1:5173', 'http://localhost:5173'];

/** Reads and checks the environment of event-service. */
export const readEventEnv = () =>
  readEnv({
    PORT: port({ default: 3002, desc: 'port to listen on' }),
    CORS_ORIGINS: origins({ default: [], devDefault: PORTAL_ORIGINS, desc: 'origins of web pages that may call the API; none by default' }),
    NAMESPACES_ENABLED: bool({
      default: false,
      devDefault: true,
      desc: 'whether requests may have a namespace header; for development and testing',
    }),
    NAMESPACE_RETENTION_DAYS: wholeNumber(1, 3_650, 30, 'days without a request after which a namespace is deleted with its events'),
    ERASE_AFTER_MONTHS: wholeNumber(
      0,
      1_200,
      0,
      'months without a subscription after which the personal data of an entity is erased; 0: never',
    ),
    FRESH_HOURS: wholeNumber(1, 8_760, 24, 'hours after creation during which an event counts as fresh'),
    ISPS: str({
      default: 'open',
      choices: ['open', 'registered'],
      desc: 'open: an activation may name any UUID as ISP; registered: only a registered ISP',
    }),
  });

export type EventEnv = ReturnType<typeof readEventEnv>;

/** Injection token of the environment. */
export const EVENT_ENV = Symbol('EVENT_ENV');
