// Signs the requests that are approved, for the signers of Kubernetes.
import { CertificateError, certify, type Issued, readNamedRequest } from '../../../test-certs/index.js';
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn } from '../../schema/object.js';
import { unlessGone } from '../../statusError.js';
import { daysOf, signers, usesOf } from './signers.js';
import { has, specOf, statusOf, textIn } from './strategy.js';

export const resource = 'certificates.k8s.io/certificatesigningrequests';

/** What a signer answers: a certificate in PEM, or why there is none. */
type Signed = { readonly certificate: string } | { readonly failure: string };

function signed(request: KubeObject, problemOf: (typeof signers)[string], issuer: Issued): Signed {
  const { usages = [], ...spec } = specOf(request);
  try {
    const asked = readNamedRequest(textIn(spec.request));
    const failure = problemOf(asked, usages);
    if (failure !== undefined) return { failure };
    const { subject, names, publicKey } = asked;
    const uses = usesOf(usages);
    return { certificate: certify(publicKey, { subject, names, usage: uses, days: daysOf(spec), issuer }) };
  } catch (error) {
    if (error instanceof CertificateError) return { failure: error.message };
    throw error;
  }
}

/** Returns the status with the answer of the signer. */
function answered(current: KubeObject, answer: Signed, now: string): KubeObject {
  const status = statusOf(current);
  if ('certificate' in answer) {
    return { ...current, status: { ...status, certificate: Buffer.from(answer.certificate).toString('base64') } };
  }
  const failed = {
    type: 'Failed',
    status: 'True',
    reason: 'SignerValidationFailure',
    message: answer.failure,
    lastUpdateTime: now,
    lastTransitionTime: now,
  };
  return { ...current, status: { ...status, conditions: [...(status.conditions ?? []), failed] } };
}

/** A request that has an answer, or that somebody else signs, is left as it is. */
const waits = (request: KubeObject): boolean => {
  const status = statusOf(request);
  return has(status, 'Approved') && !has(status, 'Denied') && !has(status, 'Failed') && !status.certificate;
};

export const signingController = (
  requests: Pick<Store, 'updateInternally'>,
  issuer: Issued,
  now: () => Date,
): Controller => ({
  name: 'certificate-signing-controller',
  feature: 'certificate-signing',
  resource,
  async reconcile(request) {
    const problemOf = signers[specOf(request).signerName ?? ''];
    if (problemOf === undefined || !waits(request)) return undefined;
    const answer = signed(request, problemOf, issuer);
    const time = `${now().toISOString().slice(0, 19)}Z`;
    const written = (current: KubeObject) => (waits(current) ? answered(current, answer, time) : current);
    await requests.updateInternally(objectKeyIn(request), written, { part: 'status' }).catch(unlessGone);
    return undefined;
  },
});
