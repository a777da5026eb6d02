// The consequences for clients if a requirement of the chapter certificates is violated.
import type { Breaks } from './types.js';

export const certificates = [
  [
    ['server-certificate', 'server-certificate-names'],
    'Clients refuse the connection, or people switch verification off.',
  ],
  [['client', 'client-bundle'], 'Nodes and administrators with a valid certificate are locked out.'],
  [
    ['client-user-name', 'client-groups'],
    'Roles that are bound to the name or the group of a certificate have no effect.',
  ],
  [['client-unverified', 'client-self-signed'], 'Anybody can make a certificate and become any user.'],
  [['client-optional'], 'Clients without a certificate cannot use tokens or passwords.'],
  [['client-expired'], 'A certificate that should have ended keeps opening the cluster.'],
  [['client-key-usage'], 'The certificate of a web server can be used to act as a user.'],
  [['client-without-name'], 'A user without a name passes rules that exclude names.'],
  [['client-resumed'], 'A client becomes a user by resuming the session of another.'],
] as const satisfies Breaks;
