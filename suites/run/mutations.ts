// A field that mutating webhooks and policies of a target's owner change in each object of a kind, such as the image of
// pods where a registry has a mirror: a failure about it says nothing about a requirement.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { Prerequisite } from '../client/expect.js';
import { at, itemsOf, type JsonObject, missing, objectsIn } from '../client/json.js';
import { NoAnswer } from '../client/reply.js';
import { hasSample } from '../objects/samples/index.js';
import type { Sandbox } from '../objects/sandbox.js';
import { policyPaths } from './policies.js';

const paths = policyPaths('mutatingwebhookconfigurations', 'mutatingadmissionpolicies');

const found = new WeakMap<Sandbox, Map<string, Promise<string | undefined>>>();

/**
 * Returns the path of the first field that a new object of the resource has otherwise than it was sent, such as
 * `spec.containers[0].image`; undefined if there is none, or if the target has no webhook that could change it.
 */
export function changedField(sandbox: Sandbox, resource: Resource): Promise<string | undefined> {
  const known = found.get(sandbox) ?? new Map<string, Promise<string | undefined>>();
  found.set(sandbox, known);
  const id = resourceId(resource);
  const field = known.get(id) ?? findChanged(sandbox, resource);
  known.set(id, field);
  return field;
}

async function findChanged(sandbox: Sandbox, resource: Resource): Promise<string | undefined> {
  if (sandbox.client.target.readOnly || resource.found !== undefined || !hasSample(resource)) return undefined;
  try {
    if (!(await canBeChanged(sandbox.client, resource))) return undefined;
    const { sent, object } = await sandbox.make(resource);
    return missing(object, sent)?.split(' is ')[0];
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof Prerequisite) return undefined;
    throw error;
  }
}

/** Reports whether a webhook or a policy of the target is asked about creates of the resource. */
async function canBeChanged(client: Client, { plural }: Resource): Promise<boolean> {
  const names = (rule: JsonObject, member: string, ...values: readonly string[]): boolean => {
    const named = at(rule, member);
    return Array.isArray(named) && values.some((value) => named.includes(value));
  };
  for (const path of paths) {
    const reply = await client.send({ method: 'GET', path });
    const rules = itemsOf(reply.tryValue()).flatMap((item) => [
      ...objectsIn(at(item, 'webhooks')).flatMap((webhook) => objectsIn(at(webhook, 'rules'))),
      ...objectsIn(at(item, 'spec', 'matchConstraints', 'resourceRules')),
    ]);
    const isAsked = (rule: JsonObject): boolean =>
      names(rule, 'resources', plural, '*', '*/*') && names(rule, 'operations', 'CREATE', '*');
    if (rules.some(isAsked)) return true;
  }
  return false;
}

/** Reports whether a message is about a field, in whichever item of a list. */
export function isAbout(message: string, field: string): boolean {
  const inAny = (text: string): string => text.replace(/\[\d+\]/g, '[]');
  const parts = inAny(message).split(`${inAny(field)} is `);
  return parts.slice(0, -1).some((before) => /(^|[\s.])$/.test(before));
}
