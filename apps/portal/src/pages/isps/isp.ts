import { ApiError, type FibreClient, type Isp } from '@fibre/client';
import { Refusal } from '../../api/refusal.js';

export type { Isp };

/** What a person may say of an ISP. */
export type IspValues = Record<'name' | 'email' | 'comment', string>;
export const REQUIRED = ['name'] as const;

export const valuesOf = ({ name, email = '', comment = '' }: Isp): IspValues => ({ name, email, comment });

/** An ISP as it is at a moment, and the entity tag that says which. */
export interface Version {
  readonly isp: Isp;
  readonly etag: string;
}

const bodyOf = ({ name, email, comment }: IspValues) => ({ name, ...(email !== '' && { email }), ...(comment !== '' && { comment }) });

export const createIsp = ({ isps }: FibreClient, values: IspValues): Promise<Isp> => isps.create(bodyOf(values));

/** Under an id that was in use before there was a registry. @throws Refusal when it has an ISP already */
export async function createIspAs(fibre: FibreClient, partner_id: string, values: IspValues, taken: string): Promise<Isp> {
  const existing = await fibre.isps.read(partner_id).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
  if (existing) throw new Refusal(422, { errors: [{ pointer: '#/partner_id', detail: taken }] });
  return putIsp(fibre, partner_id, values);
}

export async function readIsp({ isps }: FibreClient, id: string, signal?: AbortSignal): Promise<Version> {
  const { data, response } = await isps.read(id, { signal }).withResponse();
  return { isp: data, etag: response.headers.get('etag') ?? '*' };
}

/** Replaces it as a whole. @param etag unless somebody else has changed it since */
export const putIsp = ({ isps }: FibreClient, id: string, values: IspValues, etag?: string): Promise<Isp> =>
  isps.put(id, bodyOf(values), { ifMatch: etag });

export const deleteIsp = ({ isps }: FibreClient, { isp, etag }: Version): Promise<void> => isps.delete(isp.partner_id, { ifMatch: etag });
