// Answers the questions of expressions to the authorizer.
import { accountUser } from '../../authentication/serviceAccounts.js';
import type { Decide } from '../../authorization/authorizer.js';
import type { Sender } from '../../registry/admission.js';
import type { Authorize } from '../cel/functions/authorizer.js';

/** Returns what answers for a user, or for a service account that a question names. */
export const authorizeAs =
  (decide: Decide, user: Sender): Authorize =>
  ({ verb, path, serviceAccount, group = '', resource = '', subresource = '', namespace = '', name = '' }) => {
    const of = serviceAccount === undefined ? user : accountUser(serviceAccount.namespace, serviceAccount.name, '');
    return decide(of, path === undefined ? { verb, group, resource, subresource, namespace, name } : { verb, path });
  };
