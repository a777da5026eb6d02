// Subject alternative names in text form (`DNS:name`, `IP:address`) and encoded form.
import { isIP, isIPv4 } from 'node:net';
import { type Asn1, implicit } from './asn1.js';
import { CertificateError } from './certificateError.js';

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

/** Encodes a name: `DNS:<name>`, `IP:<address>`, or a bare name or address. Throws CertificateError for other text. */
export function encodeName(text: string): Asn1 {
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
