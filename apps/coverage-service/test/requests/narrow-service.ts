import { blockedStatements, startTestService } from '@fibre/testing';
import pg from 'pg';
import { coverageService } from '../../src/coverage-service.js';
import { ALL_SCOPES } from '../access-nodes/access-nodes.js';

const SETTINGS = {
  MAX_REQUESTS_IN_FLIGHT: '4',
  MAX_REQUESTS_WAITING: '0',
  MAX_REQUEST_WAIT_MS: '500',
  DATABASE_POOL_SIZE: '1',
  REQUEST_DEADLINE_SECONDS: '2',
  SLOW_READER_SECONDS: '1',
  MAX_BODY_MEGABYTES: '2',
  CORS_ORIGINS: 'https://portal.example.net',
};

export type NarrowService = Awaited<ReturnType<typeof startNarrowService>>;

/** A service with room for four requests, and a way to make its statements wait. */
export async function startNarrowService(settings: Record<string, string> = {}) {
  const service = await startTestService(coverageService, { ...SETTINGS, ...settings });
  const blocker = new pg.Client(service.databaseUrl);
  blocker.on('error', () => undefined);
  await blocker.connect();
  const metric = async (name: string): Promise<number> => {
    const { text } = await service.anonymous().get('/metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  return {
    ...service,
    /** Until `unblock`, every statement on nodes waits. */
    block: () => blocker.query('begin; lock table access_node in access exclusive mode'),
    unblock: () => blocker.query('rollback'),
    /** Number of waiting statements. */
    blocked: () => blockedStatements(service.databaseUrl),
    metric,
    /** How much of a limit is in use. */
    used: (limit: string): Promise<number> => metric(`limit_used\\{limit="${limit}"\\}`),
    /** How many requests a limit has turned away. */
    refused: (limit: string): Promise<number> => metric(`limit_refused_total\\{limit="${limit}",reason="full"\\}`),
    /** The Authorization header of a client. */
    bearer: async (tenant = 'ano.test') => ({ authorization: `Bearer ${await service.issuer.token({ tenant, scope: ALL_SCOPES })}` }),
    close: async (): Promise<void> => {
      await blocker.end();
      await service.close();
    },
  };
}
