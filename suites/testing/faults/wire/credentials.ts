// Edits of the user of a request: refused, accepted, or changed.
import type { CertificateName } from '../../../fixtures/clientCertificates.js';
import type { Broken, ServerUsers, WireRequest } from './fault.js';
import { type Edit, valueAt } from './objects.js';
import { shown, status } from './replies.js';
import { every, headed, instead, type Requests, refuse } from './requests.js';

export const authorizationOf = ({ headers }: WireRequest): string => headers.authorization ?? '';
/** Requests with the token at a path among the secrets of the users: `staticToken.markup`. */
export const withToken = (path: string) => (request: WireRequest, users: ServerUsers) =>
  authorizationOf(request) === `Bearer ${valueAt(users.fixtures.secrets, path)}`;
/** Requests with a JSON Web Token whose header (0) or claims (1) match. */
export const withClaim = (part: 0 | 1, pattern: RegExp) => (request: WireRequest) => {
  const encoded = authorizationOf(request).replace('Bearer ', '').split('.')[part] ?? '';
  return pattern.test(Buffer.from(encoded, 'base64url').toString('utf8'));
};
/** Requests of connections that show this certificate; undefined for none. */
export const showing = (name: CertificateName | undefined) => (request: WireRequest) => request.certificate === name;
/** Does not look at the certificates of clients. */
export const overlooksCertificate = (which: Requests): Broken => instead(which, () => ({ certificate: undefined }));

/** Refuses users, only at a path that all users may read, so that the rest of the suite can work. */
export const refuseUser = (which: Requests): Broken => refuse([/^\S+ \/api\/v1$/, which], 401);
/** Treats the users as the administrator. */
export const acceptUser = (which: Requests): Broken =>
  instead(which, (request, { fixtures }) =>
    headed(request, 'authorization', `Bearer ${fixtures.secrets.staticToken.admin}`),
  );
/** Reports to unauthenticated clients that they are accepted. */
export const open: Broken = status(every, 401, 200);

/** Edits the SelfSubjectReview, which shows the user of the request in `status.userInfo`. */
export const self = (edit: Edit): Broken => shown('SelfSubjectReview', edit);

/** Sends the client's credentials to the node. */
export function passesCredentials(): Broken {
  let authorization = '';
  return {
    request: (request) => {
      authorization = authorizationOf(request);
      return request;
    },
    atNode: (request) => ({ ...request, headers: { ...request.headers, authorization } }),
  };
}
