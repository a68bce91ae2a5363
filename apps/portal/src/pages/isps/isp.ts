import type { components } from '../../api/generated/events.js';
import { type Apis, answer } from '../../api/clients.js';
import { Refusal } from '../../api/refusal.js';

export type Isp = components['schemas']['IspResponse'];

/** What a person may say of an ISP. */
export type IspValues = Record<'name' | 'email' | 'comment', string>;
export const REQUIRED = ['name'] as const;

export const valuesOf = ({ name, email = '', comment = '' }: Isp): IspValues => ({ name, email, comment });

/** An ISP as it is at a moment, and the entity tag that says which. */
export interface Version {
  readonly isp: Isp;
  readonly etag: string;
}

const at = (partner_id: string) => ({ path: { partner_id } });
const bodyOf = ({ name, email, comment }: IspValues) => ({ name, ...(email !== '' && { email }), ...(comment !== '' && { comment }) });

export async function createIsp({ events }: Apis, values: IspValues): Promise<Isp> {
  return (await answer(events.POST('/api/v2/sys/isps', { body: bodyOf(values) }))).data;
}

/** Under an id that was in use before there was a registry. @throws Refusal when it has an ISP already */
export async function createIspAs(apis: Apis, partner_id: string, values: IspValues, taken: string): Promise<Isp> {
  const existing = await readIsp(apis, partner_id).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  });
  if (existing) throw new Refusal(422, { errors: [{ pointer: '#/partner_id', detail: taken }] });
  return putIsp(apis, partner_id, values);
}

export async function readIsp({ events }: Apis, id: string, signal?: AbortSignal): Promise<Version> {
  const { data, response } = await answer(events.GET('/api/v2/sys/isps/{partner_id}', { params: at(id), signal }));
  return { isp: data, etag: response.headers.get('etag') ?? '*' };
}

/** Replaces it as a whole. @param etag unless somebody else has changed it since */
export async function putIsp({ events }: Apis, id: string, values: IspValues, etag?: string): Promise<Isp> {
  const params = { ...at(id), header: { ...(etag !== undefined && { 'if-match': etag }) } };
  return (await answer(events.PUT('/api/v2/sys/isps/{partner_id}', { params, body: bodyOf(values) }))).data;
}

export async function deleteIsp({ events }: Apis, { isp, etag }: Version): Promise<void> {
  const params = { ...at(isp.partner_id), header: { 'if-match': etag } };
  await answer(events.DELETE('/api/v2/sys/isps/{partner_id}', { params }));
}
