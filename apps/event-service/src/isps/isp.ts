/** Which partners an activation may name: any UUID, or only those that are in the registry. */
export const ISPS_MODES = ['open', 'registered'] as const;
export type IspsMode = (typeof ISPS_MODES)[number];

/** Which ISP: one of a tenant in a namespace. */
export interface IspKey {
  readonly tenant: string;
  readonly namespaceId: string;
  readonly partnerId: string;
}

/** What a client says of an ISP, in the form in which it is stored and compared. */
export interface IspFields {
  readonly name: string;
  readonly email: string | null;
  readonly comment: string | null;
}

/** An ISP as it is in the registry. */
export interface RegisteredIsp {
  /** Counts the changes; the entity tag. */
  readonly version: number;
  /** The whole ISP. */
  readonly json: string;
}
