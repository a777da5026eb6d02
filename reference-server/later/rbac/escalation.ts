// Nobody grants rights that they do not have: the checks of roles and bindings that clients write.
import type { Plugin } from '../../admission/plugin.js';
import type { Authorizer } from '../../authorization/authorizer.js';
import { masters } from '../../authorization/authorizer.js';
import { badRequest, forbidden } from '../../errors.js';
import type { Creation, Sender, Writing } from '../../registry/admission.js';
import { equal, part } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import { granted, joined } from './authorizer.js';
import { linesOf, list, missingRights } from './missing.js';
import type { RoleRef } from './policy.js';
import type { PolicyReader } from './reader.js';
import type { Rule } from './rules.js';

const group = 'rbac.authorization.k8s.io';
const ids = (...plurals: readonly string[]): readonly string[] => plurals.map((plural) => `${group}/${plural}`);
const roles = ids('clusterroles', 'roles');
const bindings = ids('clusterrolebindings', 'rolebindings');
const all = [...roles, ...bindings];

/** All rights: a role that aggregates can get any of them. */
const everything: readonly Rule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** A write for a user. */
type Checked = Creation & Partial<Pick<Writing, 'before'>> & { readonly sender: Sender };

/** Refuses roles with rights, and bindings to roles with rights, that their writer does not have. */
export function escalationCheck(reader: PolicyReader, { decide, current }: Authorizer): Plugin {
  const check = async (write: Creation & Partial<Pick<Writing, 'before'>>): Promise<void> => {
    const { origin: { user: sender } = {}, before, object } = write;
    if (sender === undefined || sender.groups.includes(masters)) return;
    if (before !== undefined && changesOwnersOnly(before, object)) return;
    // Rights that were taken away since the request began count no longer.
    await current?.();
    const checked = { ...write, sender };
    if (roles.includes(write.stored)) checkRole(checked);
    else checkBinding(checked);
  };

  const checkRole = (write: Checked): void => {
    const { sender, stored, object, before, namespace = '' } = write;
    const name = before === undefined ? '' : (object.metadata.name ?? '');
    const resource = stored.slice(group.length + 1);
    const attributes = { verb: 'escalate', group, resource, subresource: '', namespace, name };
    if (decide(sender, attributes).allowed) return;
    requireRights(write, rulesOf(object));
    if (!aggregates(object) && !(before !== undefined && aggregates(before))) return;
    if (missingRights(heldBy(sender, namespace).rules, everything)?.length === 0) return;
    throw refusal(write, 'must have cluster-admin privileges to use the aggregationRule');
  };

  const checkBinding = (write: Checked): void => {
    const { sender, object, namespace = '' } = write;
    const roleRef = part<Partial<RoleRef>>(object, 'roleRef');
    if (!isComplete(roleRef)) return;
    if (roleRef.kind === 'Role' && namespace === '') throw badRequest('Namespace parameter required.');
    const resource = `${roleRef.kind.toLowerCase()}s`;
    const attributes = { verb: 'bind', group, resource, subresource: '', namespace, name: roleRef.name };
    if (decide(sender, attributes).allowed) return;
    const rules = reader.policy.rulesOf(roleRef, namespace);
    if (rules === undefined) throw roleNotFound(resource, roleRef.name);
    requireRights(write, rules);
  };

  const heldBy = (sender: Sender, namespace: string) => {
    const { rules, missing } = granted(reader.policy, sender, namespace);
    return { rules: Array.from(rules, ([rule]) => rule), missing };
  };

  const requireRights = (write: Checked, wanted: readonly Rule[]): void => {
    const { sender, namespace = '' } = write;
    const held = heldBy(sender, namespace);
    const missing = missingRights(held.rules, wanted);
    if (missing?.length === 0) return;
    const lines = missing === undefined ? 'too many rights to compare' : linesOf(missing).join('\n');
    const errors = held.missing.size === 0 ? '' : `; resolution errors: [${joined(held.missing)}]`;
    throw refusal(
      write,
      `user ${JSON.stringify(sender.name)} (groups=${list(...sender.groups)}) is attempting to grant RBAC permissions not currently held:\n${lines}${errors}`,
    );
  };

  return {
    resources: all,
    updatesOf: all,
    // Before the validation of a new object, as on real servers.
    mutate: check,
    validate: async (writing) => (writing.before === undefined ? undefined : check(writing)),
  };
}

/** A new binding is not validated yet: one that refers to no role is refused then. */
const isComplete = (ref: Partial<RoleRef>): ref is RoleRef =>
  (ref.kind === 'Role' || ref.kind === 'ClusterRole') && !!ref.name;

const rulesOf = (object: object): readonly Rule[] => (object as { rules?: readonly Rule[] }).rules ?? [];
const aggregates = (object: object): boolean => (object as { aggregationRule?: object }).aggregationRule !== undefined;

/** Reports whether an update changes only what the garbage collector needs to remove the object in the end. */
function changesOwnersOnly(before: Writing['object'], object: Creation['object']): boolean {
  const without = ({ metadata, ...rest }: { readonly metadata: object }) => {
    const { ownerReferences: _, finalizers: __, managedFields: ___, ...kept } = metadata as Record<string, unknown>;
    return { ...rest, metadata: kept };
  };
  return equal(without(before), without(object));
}

const refusal = ({ resource, object }: Creation, why: string): StatusError =>
  forbidden(resource, object.metadata.name ?? '', why);

const roleNotFound = (plural: string, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${plural}.${group} "${name}" not found`, { name, group, kind: plural });
