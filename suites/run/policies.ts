// Admission webhooks and policies that the owner of a target has set up: what they refuse says nothing about a requirement.
import type { Client } from '../client/client.js';
import { at, itemsOf, missing, objectsIn } from '../client/json.js';
import { fullRange, NoAnswer, podPolicies, type Reply } from '../client/reply.js';
import { admitsAnyPod } from '../objects/sandbox.js';

/** A server that says that its range is full has as many Services with an address, or its range serves no cluster. */
const fewAddresses = 10;

const group = '/apis/admissionregistration.k8s.io';

/** Returns the paths of kinds of webhooks and policies, in every version. */
export const policyPaths = (...plurals: readonly string[]): readonly string[] =>
  ['v1', 'v1beta1'].flatMap((version) => plurals.map((plural) => `${group}/${version}/${plural}`));

const paths = policyPaths(
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
);

/**
 * Returns a policy that a refusal names if the target has it; a server that only blames one has none. A user who may not
 * read the policies has to believe the server.
 */
export async function knownPolicy(client: Client, named: string | undefined): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const read = (path: string): Promise<Reply | undefined> =>
    client.send({ method: 'GET', path }).catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });
  if (named === fullRange) {
    const addresses = itemsOf((await read('/api/v1/services'))?.tryValue()).map((item) =>
      at(item, 'spec', 'clusterIP'),
    );
    return addresses.filter((address) => address && address !== 'None').length < fewAddresses ? undefined : named;
  }
  const [, namespace] = /^PodSecurity of the namespace (.+)$/.exec(named) ?? [];
  if (namespace !== undefined) {
    const labels = at((await read(`/api/v1/namespaces/${namespace}`))?.tryValue(), 'metadata', 'labels');
    return missing(labels, admitsAnyPod) === undefined ? undefined : named;
  }
  // Where none is set up, the plug-in refuses every Pod.
  if (named === podPolicies)
    return (await read('/apis/policy/v1beta1/podsecuritypolicies'))?.status === 200 ? named : undefined;
  for (const path of paths) {
    const reply = await read(path);
    const isThere = itemsOf(reply?.tryValue()).some(
      (item) =>
        at(item, 'metadata', 'name') === named ||
        objectsIn(at(item, 'webhooks')).some((webhook) => at(webhook, 'name') === named),
    );
    if (isThere || reply?.status === 403) return named;
  }
  return undefined;
}
