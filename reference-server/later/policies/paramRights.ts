// Who writes a policy with parameters, or a binding to them, must have the right to read them.
import type { Plugin } from '../../admission/plugin.js';
import { masters } from '../../authorization/authorizer.js';
import { invalid } from '../../errors.js';
import type { Sender, Writing } from '../../registry/admission.js';
import { Causes } from '../../schema/causes.js';
import { equal, type KubeObject } from '../../schema/object.js';
import type { StatusError } from '../../statusError.js';
import type { Cluster } from './invocations.js';
import { paramResource } from './params.js';
import { bindingSpecOf, type ParamKind, type PolicyIds, policySpecOf } from './policy.js';

/** What is read: everything, where it cannot be told. */
interface Read {
  readonly group: string;
  readonly resource: string;
}

const anything: Read = { group: '*', resource: '*' };

/** Finds a policy by its name. */
type FindPolicy = (name: string) => Promise<KubeObject | undefined>;

/** Refuses policies and bindings of one kind whose writer could not read their parameters. */
export function paramRights(
  ids: PolicyIds,
  find: FindPolicy,
  cluster: Pick<Cluster, 'decide' | 'resources' | 'of'>,
): Plugin {
  const isAllowed = (sender: Sender, verb: string, read: Read, namespace: string, name: string): boolean =>
    cluster.decide()(sender, { verb, ...read, subresource: '', namespace, name }).allowed;

  const checkPolicy = ({ object, before }: Writing, sender: Sender): string | undefined => {
    const { paramKind } = policySpecOf(object);
    if (paramKind === undefined || (before && equal(policySpecOf(before).paramKind, paramKind))) return undefined;
    if (isAllowed(sender, 'get', readOf(paramKind, cluster).read, '*', '*')) return undefined;
    const { kind, apiVersion } = paramKind;
    return `user ${shown(sender)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
  };

  const checkBinding = async ({ object, before }: Writing, sender: Sender): Promise<string | undefined> => {
    const { paramRef, policyName = '' } = bindingSpecOf(object);
    if (paramRef === undefined) return undefined;
    const last = before && bindingSpecOf(before);
    if (equal(last?.paramRef, paramRef) && last?.policyName === policyName) return undefined;
    const policy = await find(policyName);
    const paramKind = policy && policySpecOf(policy).paramKind;
    const { read, isKnown } = paramKind ? readOf(paramKind, cluster) : { read: anything, isKnown: true };
    const { name = '', namespace = '' } = paramRef;
    const verb = name === '' ? 'list' : 'get';
    if (isAllowed(sender, verb, read, namespace, name)) return undefined;
    const lacks = `user ${shown(sender)} does not have "${verb}" permission`;
    const unknown =
      policy === undefined
        ? `get policy ${policyName}`
        : isKnown
          ? undefined
          : `resolve paramKind ${shownKind(paramKind)}`;
    if (unknown === undefined) return `${lacks} on the object referenced by paramRef`;
    return `unable to ${unknown} to determine minimum required permissions and ${lacks} for all groups, versions and resources`;
  };

  const all = [ids.policies, ids.bindings];
  return {
    resources: all,
    updatesOf: all,
    async validate(writing) {
      const { origin: { user: sender } = {}, stored } = writing;
      if (sender === undefined || sender.groups.includes(masters)) return;
      const isPolicy = stored === ids.policies;
      const why = isPolicy ? checkPolicy(writing, sender) : await checkBinding(writing, sender);
      if (why !== undefined) throw refusal(writing, isPolicy ? 'spec.paramKind' : 'spec.paramRef', why);
    },
  };
}

function readOf(kind: ParamKind, cluster: Pick<Cluster, 'resources' | 'of'>) {
  const [, group = ''] = (kind.apiVersion ?? '').split('/').reverse();
  try {
    return { read: { group, resource: paramResource(kind, cluster).plural }, isKnown: true };
  } catch {
    return { read: { group, resource: '*' }, isKnown: false };
  }
}

function refusal({ resource: { groupVersion, kind }, object }: Writing, field: string, why: string): StatusError {
  const causes = new Causes();
  causes.forbidden(field, why);
  return invalid({ group: groupVersion.group, kind }, object.metadata.name ?? '', causes.list);
}

/** A user as real servers print one. */
const shown = ({ name, uid = '', groups, extra = {} }: Sender): string =>
  `&{${name} ${uid} [${groups.join(' ')}] map[${Object.entries(extra)
    .map(([key, values]) => `${key}:[${values.join(' ')}]`)
    .join(' ')}]}`;
const shownKind = ({ apiVersion = '', kind = '' }: ParamKind = {}): string => `&{${apiVersion} ${kind}}`;
