// The parameters of policies: the objects of their kind that bindings name or select.
import { apiVersionOf, type Resource } from '../../../matrix/api/index.js';
import type { Store } from '../../registry/store.js';
import type { KubeObject } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import { toVersion } from '../../versions/views.js';
import { PolicyFailure } from './compiled.js';
import type { BindingSpec, ParamKind } from './policy.js';

/** The objects of the cluster. */
export interface Objects {
  resources(): readonly Resource[];
  of(resource: Resource): Pick<Store, 'find' | 'list'>;
}

/** Returns the resource of a kind of parameters. Throws PolicyFailure if there is none. */
export function paramResource({ apiVersion = '', kind = '' }: ParamKind, objects: Objects): Resource {
  const found = objects
    .resources()
    .find(
      (resource) =>
        resource.kind === kind &&
        apiVersionOf(resource.groupVersion) === apiVersion &&
        [...resource.stated, ...resource.unstated].includes('read'),
    );
  if (found !== undefined) return found;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const what = `${group}/${version}, Kind=${kind}`;
  throw new PolicyFailure(`failed to find resource referenced by paramKind: '${what}'`);
}

/**
 * Returns the parameters of a binding for a request in a namespace: one that is undefined if it uses none. Throws
 * PolicyFailure if they cannot be told, or are not there and must be.
 */
export async function paramsOf(
  resource: Resource | undefined,
  { paramRef }: BindingSpec,
  requested: string,
  objects: Objects,
): Promise<readonly (KubeObject | undefined)[]> {
  if (resource === undefined || paramRef === undefined) return [undefined];
  const { namespace: given = '', name = '', selector, parameterNotFoundAction } = paramRef;
  if (!resource.namespaced && given !== '') {
    throw new PolicyFailure('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const namespace = resource.namespaced ? given || requested : undefined;
  if (namespace === '') {
    throw new PolicyFailure('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  }
  const store = objects.of(resource);
  const found = name === '' ? await selected(store, namespace, selector ?? {}) : await named(store, namespace, name);
  if (found.length === 0 && parameterNotFoundAction === 'Deny') {
    throw new PolicyFailure('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return found.map((object) => toVersion(resource, object));
}

async function named(store: Pick<Store, 'find'>, namespace: string | undefined, name: string) {
  const entry = await store.find({ namespace, name });
  return entry === undefined ? [] : [entry.value];
}

async function selected(
  store: Pick<Store, 'list'>,
  namespace: string | undefined,
  selector: Parameters<typeof matcherOf>[0],
): Promise<readonly KubeObject[]> {
  const matches = matcherOf(selector);
  const { entries } = await store.list(namespace);
  return entries.map(({ value }) => value).filter(({ metadata }) => matches(metadata.labels));
}
