import type { Isp } from './isp.entity.js';

/** Which partners an activation may name: any UUID, or only registered ones. */
export const ISPS_MODES = ['open', 'registered'] as const;
export type IspsMode = (typeof ISPS_MODES)[number];

/** A registry: of one tenant in one namespace. */
export type IspScope = Pick<Isp, 'tenant' | 'namespace_id'>;
/** Key of an ISP. */
export type IspKey = IspScope & Pick<Isp, 'partner_id'>;
/** The fields that a client sets. */
export type IspFields = Pick<Isp, 'name' | 'email' | 'comment'>;
