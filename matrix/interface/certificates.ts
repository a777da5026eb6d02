// Section 21 of the interface: certificates.
import type { Section } from './types.js';

export const certificates = {
  number: 21,
  title: 'Certificates',
  introduction:
    'TLS certificates identify the server, and client certificates identify users. This section also says how to ' +
    'make them.',
  rules: [
    {
      number: '21.1',
      title: 'Certificate of the server',
      text:
        '`--tls-cert-file` and `--tls-private-key-file` name the certificate and the key of the server. The server ' +
        'must present this certificate and hold its key. Client certificates are verified by the authorities of ' +
        '`--client-ca-file`.',
      why: 'A client that cannot verify the server must not send it a token.',
      sources: ['Certificate preparation/1'],
    },
    {
      number: '21.2',
      title: 'Certificates by a script',
      text:
        'A script takes the IP address of the server and a list of alternative names, each `IP:<address>` or ' +
        '`DNS:<name>`. It writes `ca.crt`, `server.crt` and `server.key`. The certificate must verify for each ' +
        'address and each name. In this project the script is the command `certs`.',
      why: 'A certificate without the right names is refused by every client.',
      sources: ['Certificate preparation/2'],
    },
    {
      number: '21.3',
      title: 'Certificates by hand',
      text:
        'The manual route makes a key of an authority with 2048 bits, a certificate of the authority that is valid ' +
        'for a chosen number of days, a key of the server with 2048 bits, a signing request whose common name is ' +
        'the address of the server, and a certificate of the server that the authority signed. All keys are RSA ' +
        'keys.',
      why: 'An administrator can follow the same steps with openssl.',
      sources: ['Certificate preparation/3', 'Limits/3'],
    },
  ],
} as const satisfies Section;
