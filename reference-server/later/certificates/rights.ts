// Who may approve and sign: the users who have that right for the signer of a request.
import type { Plugin } from '../../admission/plugin.js';
import type { Decide } from '../../authorization/authorizer.js';
import { forbidden } from '../../errors.js';
import type { Sender } from '../../registry/admission.js';
import { equal, type KubeObject } from '../../schema/object.js';
import { resource } from './controller.js';
import { specOf, statusOf } from './strategy.js';

/** Refuses approvals, and changes of the status, by users without the right for the signer. */
export const signerRights = (decide: () => Decide): Plugin => ({
  resources: [],
  shows: (stored) => stored === resource,
  async review({ operation, part, origin, object, before, resource: asked, name }) {
    if (operation !== 'UPDATE' || object === undefined || before === undefined) return;
    const verb = part === 'approval' ? 'approve' : part === 'status' && isSigned(object, before) ? 'sign' : undefined;
    if (verb === undefined) return;
    const { signerName = '' } = specOf(before);
    if (isAllowed(decide(), origin.user, verb, signerName)) return;
    throw forbidden(
      asked,
      name,
      `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`,
    );
  },
});

function isSigned(object: KubeObject, before: KubeObject): boolean {
  const [next, last] = [statusOf(object), statusOf(before)];
  return !(equal(next.certificate, last.certificate) && equal(next.conditions ?? [], last.conditions ?? []));
}

/** A right can be for one signer, or for all of its domain. */
function isAllowed(decide: Decide, user: Sender, verb: string, signerName: string): boolean {
  const [domain = ''] = signerName.split('/');
  return [signerName, `${domain}/*`].some((name) => {
    const signers = { group: 'certificates.k8s.io', resource: 'signers', subresource: '', namespace: '', name };
    return decide(user, { verb, ...signers }).allowed;
  });
}
