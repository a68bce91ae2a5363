import { type Adapter } from 'oidc-provider';

/** Clients come from the configuration and access tokens are signed, not stored: the issuer keeps no state but its keys. */
export class NoStorage implements Adapter {
  upsert = () => Promise.resolve();
  find = () => Promise.resolve(undefined);
  findByUserCode = () => Promise.resolve(undefined);
  findByUid = () => Promise.resolve(undefined);
  consume = () => Promise.resolve();
  destroy = () => Promise.resolve();
  revokeByGrantId = () => Promise.resolve();
}
