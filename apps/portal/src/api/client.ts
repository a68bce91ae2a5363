import { FibreClient } from '@fibre/client';
import type { Configuration } from '../configuration.js';
import type { Session } from '../session/session.js';

/** The client of both APIs, with the tokens of the session. */
export const createClient = ({ coverage_url, events_url }: Configuration, session: Session): FibreClient =>
  new FibreClient({
    coverageUrl: coverage_url,
    eventsUrl: events_url,
    token: (refused) => session.accessToken(refused),
    // No retries: people are waiting, so a page says at once what is wrong and when to try again.
    retries: 0,
  });
