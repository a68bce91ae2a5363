import { type JsonWebKey, generateKeyPair } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { explainUnwritable } from '@fibre/embedded-postgres';

export interface SigningKeys {
  keys: JsonWebKey[];
}

/** The issuer's private keys, created on the first start and kept, so that tokens survive a restart. */
export async function signingKeys(dataDir: string): Promise<SigningKeys> {
  const file = join(dataDir, 'signing-keys.json');
  if (existsSync(file)) return parse(file, await readFile(file, 'utf8'));
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 });
  const keys = { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] };
  try {
    await mkdir(dirname(dataDir), { recursive: true });
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // The file is written atomically, so that it is complete even if this process is killed.
    await writeFile(`${file}.new`, JSON.stringify(keys), { mode: 0o600 });
    await rename(`${file}.new`, file);
  } catch (error) {
    throw explainUnwritable(error, dataDir);
  }
  return keys;
}

function parse(file: string, text: string): SigningKeys {
  try {
    const stored = JSON.parse(text) as Partial<SigningKeys> | null;
    if (stored?.keys?.length) return { keys: stored.keys };
  } catch {
    // An unreadable file is reported below, like invalid content.
  }
  throw new Error(`${file} contains no signing keys: delete it and start again to create new ones`);
}
