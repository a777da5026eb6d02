// Admission webhooks and policies that the owner of a target has set up: what they refuse says nothing about a requirement.
import type { Client } from '../client/client.js';
import { at, itemsOf, objectsIn } from '../client/json.js';
import { NoAnswer } from '../client/reply.js';

const group = '/apis/admissionregistration.k8s.io';
const paths = ['v1', 'v1beta1'].flatMap((version) =>
  ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations', 'validatingadmissionpolicies'].map(
    (plural) => `${group}/${version}/${plural}`,
  ),
);

/**
 * Returns a policy that a refusal names if the target has it; a server that only blames one has none. A user who may not
 * read the policies has to believe the server.
 */
export async function knownPolicy(client: Client, named: string | undefined): Promise<string | undefined> {
  if (named === undefined) return undefined;
  for (const path of paths) {
    const reply = await client.send({ method: 'GET', path }).catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });
    const isThere = itemsOf(reply?.tryValue()).some(
      (item) =>
        at(item, 'metadata', 'name') === named ||
        objectsIn(at(item, 'webhooks')).some((webhook) => at(webhook, 'name') === named),
    );
    if (isThere || reply?.status === 403) return named;
  }
  return undefined;
}
