// Subject alternative names as they are written (`DNS:name`, `IP:address`) and as a certificate holds them.
import { isIP, isIPv4 } from 'node:net';
import { CertificateError } from './certificateError.js';
import { implicit } from './der.js';

const tags = { dns: 2, ip: 7 };

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groups = (part: string): number[] =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
          return [a * 256 + b, c * 256 + d];
        });
  const first = groups(head);
  const last = tail === undefined ? [] : groups(tail);
  const zeros = new Array<number>(8 - first.length - last.length).fill(0);
  return Buffer.from([...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 0xff]));
}

/**
 * Encodes one name: `DNS:<name>`, `IP:<address>`, or a bare name or address.
 * Throws CertificateError when the text is neither.
 */
export function encodeName(text: string): Buffer {
  const [, kind, value = ''] = /^(?:(DNS|IP):)?(.*)$/s.exec(text) ?? [];
  const family = isIP(value);
  if (family !== 0 && kind !== 'DNS') {
    return implicit(tags.ip, isIPv4(value) ? Buffer.from(value.split('.').map(Number)) : ipv6Bytes(value));
  }
  if (kind === 'IP' || !/^(\*\.)?[A-Za-z0-9_]([-A-Za-z0-9_.]*[A-Za-z0-9_])?$/.test(value)) {
    throw new CertificateError(`"${text}" is no subject alternative name: write DNS:<name> or IP:<address>`);
  }
  return implicit(tags.dns, Buffer.from(value, 'ascii'));
}
