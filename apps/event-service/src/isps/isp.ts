import type { Isp } from './isp.entity.js';

/** Which partners an activation may name: any UUID, or only those that are in the registry. */
export const ISPS_MODES = ['open', 'registered'] as const;
export type IspsMode = (typeof ISPS_MODES)[number];

/** Provides the mode of the service. */
export const ISPS_MODE = Symbol('ISPS_MODE');

/** Which registry: one of a tenant in a namespace. */
export type IspScope = Pick<Isp, 'tenant' | 'namespace_id'>;
/** Which ISP. */
export type IspKey = IspScope & Pick<Isp, 'partner_id'>;
/** What a client sets of an ISP. */
export type IspFields = Pick<Isp, 'name' | 'email' | 'comment'>;
