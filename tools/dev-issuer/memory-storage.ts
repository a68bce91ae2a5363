import { type Adapter, type AdapterPayload } from 'oidc-provider';

interface Kept {
  readonly payload: AdapterPayload;
  readonly until: number;
}

/** How many records an issuer keeps; the oldest goes first. */
const MAX_RECORDS = 10_000;

/** Sessions, codes and refresh tokens in memory: who restarts the issuer signs in again. Access tokens are signed and not stored. */
export function memoryStorage(): (model: string) => Adapter {
  const records = new Map<string, Kept>();
  const find = (key: string): AdapterPayload | undefined => {
    const kept = records.get(key);
    if (kept && kept.until > Date.now()) return kept.payload;
    records.delete(key);
    return undefined;
  };
  const findBy = (model: string, has: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
    [...records.entries()].find(([key, { payload, until }]) => key.startsWith(`${model}:`) && until > Date.now() && has(payload))?.[1]
      .payload;

  return (model) => ({
    upsert: (id, payload, expiresIn) => {
      const [oldest] = records.keys();
      if (records.size >= MAX_RECORDS && oldest !== undefined) records.delete(oldest);
      records.set(`${model}:${id}`, { payload, until: Date.now() + (expiresIn ?? Infinity) * 1_000 });
      return Promise.resolve();
    },
    find: (id) => Promise.resolve(find(`${model}:${id}`)),
    findByUid: (uid) => Promise.resolve(findBy(model, (payload) => payload.uid === uid)),
    findByUserCode: () => Promise.resolve(undefined),
    consume: (id) => {
      const payload = find(`${model}:${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
      return Promise.resolve();
    },
    destroy: (id) => {
      records.delete(`${model}:${id}`);
      return Promise.resolve();
    },
    revokeByGrantId: (grantId) => {
      for (const [key, { payload }] of records) if (payload.grantId === grantId) records.delete(key);
      return Promise.resolve();
    },
  });
}
