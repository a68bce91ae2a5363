import { type JsonWebKey, generateKeyPair } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { explainUnwritable } from '@fibre/embedded-postgres';

export interface SigningKeys {
  keys: JsonWebKey[];
}

const RSA_BITS = 2048;

/** The issuer's private keys: made on the first start and kept, so that a token outlives a restart. */
export async function signingKeys(dataDir: string): Promise<SigningKeys> {
  const file = join(dataDir, 'signing-keys.json');
  return (
    (await read(file)) ??
    (await generate(dataDir, file).catch((error: unknown) => {
      throw explainUnwritable(error, dataDir);
    }))
  );
}

async function read(file: string): Promise<SigningKeys | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const stored = JSON.parse(text) as Partial<SigningKeys> | null;
    if (stored?.keys?.length) return { keys: stored.keys };
  } catch {
    // Told below, like a file that is JSON of another kind.
  }
  throw new Error(`${file} holds no signing keys: delete it and start again to make new ones`);
}

async function generate(dataDir: string, file: string): Promise<SigningKeys> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
  const keys = { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] };
  const draft = `${file}.${process.pid}`;
  await mkdir(dirname(dataDir), { recursive: true });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(draft, JSON.stringify(keys), { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await read(file)) ?? keys;
  } finally {
    await unlink(draft);
  }
  return keys;
}
