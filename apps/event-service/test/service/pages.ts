import LinkHeader from 'http-link-header';
import type { Response } from 'supertest';

/** The address of the next page. */
export const nextOf = (page: Response): string | undefined => LinkHeader.parse(page.headers.link as string).rel('next')[0]?.uri;
