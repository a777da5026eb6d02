// Certificates: the server's own, those of clients, and how they are prepared.
import type { Chapter } from '../types.js';

const planned = 'the certificates part of the authentication chapter';

export const certificates = {
  // The server
  'server-certificate': {
    level: 'stated',
    source: ['Certificate preparation/1'],
    text: 'The server shows the certificate that it was started with, and holds its key.',
    planned,
  },
  'server-certificate-names': {
    level: 'stated',
    source: ['Certificate preparation/2'],
    text: 'A certificate of the script verifies by each address and each name that it was given.',
    planned,
  },
  'server-certificate-manual': {
    level: 'stated',
    source: ['Certificate preparation/3'],
    text: 'A certificate of the manual route verifies by the address that is its common name.',
    planned,
  },
  'key-size': {
    level: 'stated',
    source: ['Certificate preparation/3', 'Limits/3'],
    text: 'The server certificate and its CA have RSA keys of 2048 bits when made by the manual route.',
    planned,
  },
  // Clients
  client: {
    level: 'stated',
    source: ['Mechanisms/Client certificate', 'Certificate preparation/1'],
    text: 'A client certificate that a configured authority signed lets its user in.',
    planned,
  },
  'client-user-name': {
    level: 'stated',
    source: ['Mechanisms/Client certificate'],
    text: "The user name is the common name of the certificate's subject.",
    planned,
  },
  'client-bundle': {
    level: 'stated',
    source: ['Mechanisms/Client certificate'],
    text: 'Each authority of a file with several is good for its clients.',
    planned,
  },
  'client-unverified': {
    level: 'stated',
    source: ['Mechanisms/Client certificate', 'Certificate preparation/1'],
    text: 'A certificate of another authority lets nobody in.',
    planned,
  },
  'client-optional': {
    level: 'stated',
    source: ['General rules/2'],
    text: 'A client without a certificate can connect and come in by another mechanism.',
    planned,
  },
  'client-groups': {
    level: 'convention',
    source: ['Mechanisms/Client certificate', 'General rules/4'],
    text: "The organizations of the certificate's subject are the groups of the user.",
    planned,
  },
  'client-self-signed': {
    level: 'convention',
    source: ['Mechanisms/Client certificate'],
    text: 'A certificate that signed itself lets nobody in.',
    planned,
  },
  'client-expired': {
    level: 'convention',
    source: ['Mechanisms/Client certificate'],
    text: 'A certificate that is expired, or not valid yet, lets nobody in.',
    planned,
  },
  'client-key-usage': {
    level: 'convention',
    source: ['Mechanisms/Client certificate'],
    text: 'A certificate that is not for client authentication lets nobody in.',
    planned,
  },
  'client-resumed': {
    level: 'convention',
    source: ['Mechanisms/Client certificate'],
    text: 'A resumed TLS session without a certificate lets nobody in.',
    planned,
  },
  // Preparation
  'script-files': {
    level: 'stated',
    source: ['Certificate preparation/2'],
    text: "The script takes the server's address and a list of names and writes ca.crt, server.crt and server.key.",
    observable: false,
    reason: 'A tool on a disk, not a request: the tests of test-certs run it and verify its files with openssl.',
  },
  'manual-steps': {
    level: 'stated',
    source: ['Certificate preparation/3'],
    text: 'The manual route makes a CA key, a CA certificate of the days asked for, a server key, a signing request and a certificate.',
    observable: false,
    reason: 'Steps on a disk, not a request: the tests of test-certs run each and verify its file with openssl.',
  },
} as const satisfies Chapter;
