// Warnings of a certificate and a key that do not belong together, in the words of the library that would load them.
import { createPrivateKey, X509Certificate } from 'node:crypto';

interface Block {
  readonly type: string;
  readonly text: string;
}

const [begin, end, dashes] = ['-----BEGIN ', '-----END ', '-----'];

/** Returns the blocks of a text. One whose next end is that of another type is none. */
function blocksIn(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let over = -1;
  let from = 0;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, from)) {
    from = at + begin.length;
    const close = text.indexOf(dashes, from);
    // The same end may be the next one of many beginnings.
    if (over < from) over = text.indexOf(end, from);
    if (close === -1 || over === -1) break;
    const type = text.slice(from, close);
    const last = `${end}${type}${dashes}`;
    if (!text.startsWith(last, over)) continue;
    from = over + last.length;
    blocks.push({ type, text: text.slice(at, from) });
  }
  return blocks;
}

const isKey = ({ type }: Block): boolean => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');

/** Returns why a pair cannot be used; undefined if it can. */
export function whyNoPair(certificateText: string, keyText: string): string | undefined {
  const certificates = blocksIn(certificateText);
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (certificate === undefined) return `tls: ${noCertificate(certificates)}`;
  const blocks = blocksIn(keyText);
  const key = blocks.find(isKey);
  if (key === undefined) return `tls: ${noKey(blocks)}`;
  const loaded = attempt(() => new X509Certificate(certificate.text));
  if (loaded === undefined) return 'x509: malformed certificate';
  const own = attempt(() => createPrivateKey(key.text));
  if (own === undefined) return 'tls: failed to parse private key';
  if (own.asymmetricKeyType !== loaded.publicKey.asymmetricKeyType)
    return 'tls: private key type does not match public key type';
  return loaded.checkPrivateKey(own) ? undefined : 'tls: private key does not match public key';
}

function attempt<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const types = (blocks: readonly Block[]): string => `[${blocks.map(({ type }) => type).join(' ')}]`;

function noCertificate(blocks: readonly Block[]): string {
  if (blocks.length === 0) return 'failed to find any PEM data in certificate input';
  if (blocks.length === 1 && blocks.some(isKey)) {
    return 'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${types(blocks)}`;
}

function noKey(blocks: readonly Block[]): string {
  if (blocks.length === 0) return 'failed to find any PEM data in key input';
  if (blocks.length === 1 && blocks[0]?.type === 'CERTIFICATE')
    return 'found a certificate rather than a key in the PEM for the private key';
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${types(blocks)}`;
}
