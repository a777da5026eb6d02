// The stored roles and bindings, by subject: a look-up for a user costs what the bindings of the user cost.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { User } from '../../authentication/authenticator.js';
import type { KubeObject } from '../../schema/object.js';
import type { Rule } from './rules.js';

export type RoleRef = ObjectOf<'rbac.v1.RoleRef'>;
type Subject = ObjectOf<'rbac.v1.Subject'>;

export type PolicyKind = 'ClusterRole' | 'Role' | 'ClusterRoleBinding' | 'RoleBinding';

/** A binding, and the subject of it that a user is. */
export interface Grant {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  readonly name: string;
  /** Empty for a binding of the cluster. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subject: Subject;
}

/** The grants of one namespace, or of the cluster, by subject and then by the key of the binding. */
type Grants = Map<string, Map<string, Grant>>;

const roleKey = (kind: string, namespace: string, name: string): string =>
  kind === 'ClusterRole' ? `/${name}` : `${namespace}/${name}`;

export class Policy {
  readonly #roles = new Map<string, readonly Rule[]>();
  /** By namespace; empty for the cluster. */
  readonly #grants = new Map<string, Grants>();

  /** Takes note of an object. `previous` is the one that it replaces. */
  put(kind: PolicyKind, object: KubeObject, previous?: KubeObject): void {
    if (previous !== undefined) this.remove(kind, previous);
    const { namespace = '', name = '' } = object.metadata;
    if (kind === 'ClusterRole' || kind === 'Role') {
      this.#roles.set(roleKey(kind, namespace, name), (object as { rules?: readonly Rule[] }).rules ?? []);
      return;
    }
    const { subjects, roleRef } = bindingOf(object);
    for (const subject of subjects) {
      const grants = this.#grants.get(namespace) ?? new Map<string, Map<string, Grant>>();
      this.#grants.set(namespace, grants);
      const key = subjectKey(subject);
      const ofSubject = grants.get(key) ?? new Map<string, Grant>();
      grants.set(key, ofSubject);
      if (!ofSubject.has(name)) ofSubject.set(name, { kind, name, namespace, roleRef, subject });
    }
  }

  remove(kind: PolicyKind, object: KubeObject): void {
    const { namespace = '', name = '' } = object.metadata;
    if (kind === 'ClusterRole' || kind === 'Role') {
      this.#roles.delete(roleKey(kind, namespace, name));
      return;
    }
    const grants = this.#grants.get(namespace);
    if (grants === undefined) return;
    for (const subject of bindingOf(object).subjects) {
      const key = subjectKey(subject);
      const ofSubject = grants.get(key);
      ofSubject?.delete(name);
      if (ofSubject?.size === 0) grants.delete(key);
    }
    if (grants.size === 0) this.#grants.delete(namespace);
  }

  /** Yields what is granted to a user: in the cluster, and then in a namespace. A binding is yielded once. */
  *grantsOf(user: User, namespace: string): Iterable<Grant> {
    const keys = [`user:${user.name}`, ...user.groups.map((group) => `group:${group}`)];
    for (const scope of namespace === '' ? [''] : ['', namespace]) {
      const grants = this.#grants.get(scope);
      if (grants === undefined) continue;
      const seen = new Set<string>();
      for (const key of keys) {
        for (const [name, grant] of grants.get(key) ?? []) {
          if (seen.has(name)) continue;
          seen.add(name);
          yield grant;
        }
      }
    }
  }

  /** Returns the rules of a role that a binding in a namespace refers to, or undefined if it is absent. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly Rule[] | undefined {
    return this.#roles.get(roleKey(kind, namespace, name));
  }
}

/** What a stored binding may lack: no role has this name. */
const noRole: RoleRef = { apiGroup: '', kind: '', name: '' };

/** Returns the subjects, each in its namespace, and the role. */
function bindingOf(object: KubeObject): { readonly subjects: readonly Subject[]; readonly roleRef: RoleRef } {
  const { subjects = [], roleRef } = object as KubeObject & Partial<ObjectOf<'rbac.v1.RoleBinding'>>;
  return { subjects, roleRef: { ...noRole, ...roleRef } };
}

/** A service account is the user of its name. */
function subjectKey({ kind, namespace = '', name = '' }: Partial<Subject>): string {
  if (kind === 'ServiceAccount') return `user:system:serviceaccount:${namespace}:${name}`;
  return kind === 'Group' ? `group:${name}` : `user:${name}`;
}
