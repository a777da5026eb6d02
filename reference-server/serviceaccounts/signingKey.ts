// The key that signs service account tokens: read from a file, kept in the data directory, or generated for one run.
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { whyNot } from '../../matrix/api/fileFailure.js';
import { newKey } from '../../test-certs/index.js';
import { OptionError, readOptionFile } from '../optionValues.js';

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The signature algorithm of the key. */
  readonly algorithm: string;
  /** The key id in the header of tokens. */
  readonly id: string;
}

const curveAlgorithms: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};
const leastModulusBits = 2048;

/** Reads the key of `--service-account-key-file`. Throws OptionError if the key cannot sign. */
export async function readSigningKey(file: string): Promise<SigningKey> {
  return parseSigningKey(
    await readOptionFile('--service-account-key-file', file),
    `--service-account-key-file: ${file}`,
  );
}

/**
 * Returns the key of a data directory, and generates it on first use, so that tokens survive a restart. Throws
 * OptionError if the file cannot be read.
 */
export async function keptSigningKey(directory: string): Promise<SigningKey> {
  const file = join(directory, 'service-account.key');
  const where = `--data-dir: ${file}`;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new OptionError(`--data-dir: cannot read ${file}: ${whyNot(error)}`);
  });
  if (text !== undefined) return parseSigningKey(text, where);
  const key = await makeSigningKey();
  // Written under another name first: an incomplete key file would break every later start.
  const unfinished = `${file}.new`;
  await writeFile(unfinished, exportedKey(key), { mode: 0o600, flush: true });
  await rename(unfinished, file);
  return key;
}

/** Generates a key for one run: P-256, which takes a millisecond. */
export const makeSigningKey = async (): Promise<SigningKey> => complete(await newKey(), 'ES256');

export const exportedKey = ({ privateKey }: SigningKey): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Reads a key from PEM. Throws an OptionError that begins with `where` if the key cannot sign. */
export function parseSigningKey(text: string, where: string): SigningKey {
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    throw new OptionError(`${where} holds no PEM private key without a passphrase`);
  }
  const algorithm = algorithmOf(key);
  if (algorithm === undefined) {
    throw new OptionError(
      `${where}: give an RSA key of ${leastModulusBits} bits or more, or an EC key on P-256, P-384 or P-521`,
    );
  }
  return complete(key, algorithm);
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'rsa') return modulusLength < leastModulusBits ? undefined : 'RS256';
  return asymmetricKeyType === 'ec' ? curveAlgorithms[namedCurve] : undefined;
}

function complete(privateKey: KeyObject, algorithm: string): SigningKey {
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey, algorithm, id: createHash('sha256').update(der).digest('base64url') };
}
