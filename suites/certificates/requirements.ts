// Certificates of the server and of clients, and their preparation.
import type { Chapter } from '../requirements/types.js';

export const certificates = {
  // The server
  'server-certificate': {
    level: 'required',
    rule: '21.1',
    text: 'The server presents the certificate that it was started with, and holds its key.',
    words: 'A server certificate and key are supplied with --tls-cert-file and --tls-private-key-file',
    subjects: 'serverCertificates',
    breaks: 'Clients refuse the connection, or people switch verification off.',
  },
  'server-certificate-names': {
    level: 'required',
    rule: '21.2',
    text: 'A certificate of the script verifies for each address and each name that it was made with.',
    words: 'a list of subject alternative names (IP:<ip-address> or DNS:<dns-name>)',
    subjects: 'serverNames',
    breaks: 'Clients refuse the connection, or people switch verification off.',
  },
  'server-certificate-manual': {
    level: 'required',
    rule: '21.3',
    text: 'A certificate of the manual route verifies for the address that is its common name.',
    words: 'subject common name equal to the server address',
    observable: false,
    reason:
      'The manual route makes files, and a server under test has its own certificate: the tests of test-certs verify one in a handshake.',
  },
  'key-size': {
    level: 'required',
    rule: '21.3',
    text: 'The server certificate and its CA have RSA keys of 2048 bits when made by the manual route.',
    words: 'a 2048-bit server key',
    observable: false,
    reason:
      'The manual route makes files, and a server under test has its own keys: the tests of test-certs read the sizes from the files.',
  },
  // Clients
  client: {
    level: 'required',
    rule: '18.1',
    text: 'A client certificate that a configured authority signed is accepted.',
    words: 'used to validate presented client certificates',
    subjects: 'clientCertificates',
    breaks: 'Nodes and administrators with a valid certificate are locked out.',
  },
  'client-user-name': {
    level: 'required',
    rule: '18.1',
    text: "The user name is the common name of the certificate's subject.",
    words: 'the common name of the subject is the user name',
    subjects: 'clientCertificates',
    breaks: 'Roles that are bound to the name or the group of a certificate have no effect.',
  },
  'client-bundle': {
    level: 'required',
    rule: '18.1',
    text: 'Client certificates of each authority in a file with several are accepted.',
    words: 'file holds one or more certificate authorities',
    subjects: 'clientAuthorities',
    breaks: 'Nodes and administrators with a valid certificate are locked out.',
  },
  'client-unverified': {
    level: 'required',
    rule: '18.1',
    text: 'A certificate of another authority is not accepted.',
    words: 'Client certificates are validated against the CA in --client-ca-file',
    subjects: 'foreignCertificates',
    breaks: 'Anybody can make a certificate and become any user.',
  },
  'client-optional': {
    level: 'required',
    rule: '17.3',
    text: 'A client without a certificate can connect and authenticate by another mechanism.',
    words: 'Several mechanisms may be enabled together',
    subjects: 'certificateLess',
    breaks: 'Clients without a certificate cannot use tokens or passwords.',
  },
  'client-groups': {
    level: 'recommended',
    rule: '18.1',
    text: "The organizations of the certificate's subject are the groups of the user.",
    subjects: 'clientCertificates',
    breaks: 'Roles that are bound to the name or the group of a certificate have no effect.',
  },
  'client-self-signed': {
    level: 'required',
    rule: '18.1',
    text: 'A self-signed certificate is not accepted.',
    words: 'Client certificates are validated against the CA in --client-ca-file',
    subjects: 'selfSignedCertificates',
    breaks: 'Anybody can make a certificate and become any user.',
  },
  'client-expired': {
    level: 'required',
    rule: '18.1',
    text: 'A certificate that has expired, or is not valid yet, is not accepted.',
    words: 'file holds one or more certificate authorities used to validate presented client certificates',
    subjects: 'untimelyCertificates',
    breaks: 'A certificate that should have ended keeps opening the cluster.',
  },
  'client-key-usage': {
    level: 'recommended',
    rule: '18.1',
    text: 'A certificate that is not for client authentication is not accepted.',
    subjects: 'otherUsageCertificates',
    breaks: 'The certificate of a web server can be used to act as a user.',
  },
  'client-without-name': {
    level: 'recommended',
    rule: '18.1',
    text: 'A certificate without a common name is not accepted.',
    subjects: 'namelessCertificates',
    breaks: 'A user without a name passes rules that exclude names.',
  },
  'client-resumed': {
    level: 'recommended',
    rule: '18.1',
    text: 'A resumed TLS session without a certificate is not accepted as a user.',
    subjects: 'resumedSessions',
    breaks: 'A client becomes a user by resuming the session of another.',
  },
  // Preparation
  'script-files': {
    level: 'required',
    rule: '21.2',
    text: "The script takes the server's address and a list of names and writes ca.crt, server.crt and server.key.",
    words: 'writes ca.crt, server.crt and server.key',
    observable: false,
    reason:
      'The script is a local tool, not a request: the tests of test-certs run it and verify its files with openssl.',
  },
  'manual-steps': {
    level: 'required',
    rule: '21.3',
    text: 'The manual route makes a CA key, a CA certificate of the days asked for, a server key, a signing request and a certificate.',
    words: 'A manual route generates a 2048-bit CA key, a CA certificate',
    observable: false,
    reason: 'The steps are local, not requests: the tests of test-certs run each one and verify its file with openssl.',
  },
} as const satisfies Chapter;
