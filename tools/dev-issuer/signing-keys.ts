import { type JsonWebKey, generateKeyPair } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface SigningKeys {
  keys: JsonWebKey[];
}

/** The issuer's private key, created on the first start and kept, so that tokens survive a restart. */
export async function signingKeys(dataDir: string): Promise<SigningKeys> {
  const file = join(dataDir, 'signing-keys.json');
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as SigningKeys;
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  const keys = { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] };
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, JSON.stringify(keys), { mode: 0o600 });
  return keys;
}
