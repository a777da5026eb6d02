// The scale subresource: a small object that shows and sets the number of replicas.
import { apiVersionOf, type Resource, type Verb } from '../../matrix/api/index.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { badRequest, invalid, notFound } from '../errors.js';
import type { ShownPart } from '../registry/admission.js';
import { cheapChange, type WriteOptions } from '../registry/store.js';
import type { ObjectChange } from '../registry/writing.js';
import { type Answer, type ApiRequest, objectKeyOf, resourceOf } from '../request.js';
import type { Expected } from '../schema/body.js';
import { Causes } from '../schema/causes.js';
import { isRecord, type KubeObject, own, part } from '../schema/object.js';
import { runTimeKindOf } from '../schema/runTimeKind.js';
import { StatusError } from '../statusError.js';
import type { Entry } from '../storage/storage.js';
import { mapSteps } from '../turns.js';
import { selfLinkOf } from '../versions/addresses.js';
import { viewOf } from '../versions/views.js';
import {
  type Dependencies,
  decodedBodyOf,
  expectedBody,
  type MakeHandler,
  okObject,
  patchIn,
  registeredPatch,
  storeOf,
  writeOptionsOf,
} from './context.js';

export const readScale: MakeHandler = (dependencies) => async (request) => {
  return scaleIn(request, await storeOf(request, dependencies).get(objectKeyOf(request)).catch(scaleNotFound(request)));
};

/** Returns a 200 with the scale of an object. Throws a 500, as real servers do, if it has no replicas to show. */
export const scaleIn = (request: ApiRequest, entry: Entry): Answer => {
  const resource = resourceOf(request);
  const { object } = viewOf(resource, entry);
  const path = runTimeKindOf(resource)?.scale?.replicas;
  if (path !== undefined && valueAt(object, path) === undefined) {
    const why = `the spec replicas field ".${path.join('.')}" does not exist`;
    throw new StatusError(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
  }
  return okObject(scaleOf(object, resource, scaleKind(request)));
};

export const replaceScale: MakeHandler = (dependencies) => async (request) => {
  const options = writeOptionsOf(request, dependencies, 'scale');
  const scale = await decodedBodyOf(request);
  const { name = '' } = scale.metadata;
  const key = objectKeyOf(request);
  if (name !== key.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${key.name})`);
  }
  const change = cheapChange(() => scale);
  return writeScale(request, dependencies, change, options);
};

export const patchScale: MakeHandler = (dependencies) => async (request) => {
  const answer = registeredPatch(request, dependencies, 'scale');
  if (answer !== undefined) return answer;
  const options = writeOptionsOf(request, dependencies, 'scale');
  return writeScale(request, dependencies, patchIn(request, scaleKind(request), dependencies), options);
};

async function writeScale(
  request: ApiRequest,
  dependencies: Dependencies,
  change: ObjectChange,
  options: WriteOptions,
) {
  const scale = scalePart(request);
  const entry = await storeOf(request, dependencies)
    .update(
      objectKeyOf(request),
      {
        ...change,
        apply: (current) => mapSteps(change.apply(scale.of(current)), (next) => scale.into(current, next)),
      },
      { ...options, shown: scale },
    )
    .catch(scaleNotFound(request));
  return scaleIn(request, entry);
}

/** The part of an object that the scale of a request shows and sets. */
export function scalePart(request: ApiRequest): ShownPart {
  const resource = resourceOf(request);
  const expected = scaleKind(request);
  const made = runTimeKindOf(resource)?.scale;
  return {
    subresource: 'scale',
    expected,
    of: (current) => scaleOf(current, resource, expected),
    into(current, { metadata, spec }) {
      const replicas = (spec as { replicas?: number } | undefined)?.replicas ?? 0;
      if (made === undefined) requireReplicas(replicas, expected, metadata.name ?? '');
      const { name, namespace, uid, resourceVersion } = metadata;
      return {
        ...current,
        metadata: {
          ...current.metadata,
          ...(name && { name }),
          ...(namespace && { namespace }),
          ...(uid && { uid }),
          ...(resourceVersion && { resourceVersion }),
        },
        ...(made === undefined
          ? { spec: { ...(current.spec as object), replicas } }
          : withValueAt(current, made.replicas, replicas)),
      };
    },
  };
}

function requireReplicas(replicas: number, { apiVersion, kind }: Expected, name: string): void {
  const causes = new Causes();
  causes.notNegative('spec.replicas', replicas);
  const group = apiVersion.split('/')[0] ?? '';
  if (causes.list.length > 0) throw invalid({ group, kind }, name, causes.list);
}

export function scaleKind(request: ApiRequest): Expected {
  return expectedBody(resourceOf(request), request.operation.verb as Verb);
}

/**
 * Returns a handler for `catch` that turns a 404 into the 404 of the scale, which names the subresource. In a group that
 * has no scales of its own, only reads do so, and those of stateful sets do not, as on real servers.
 */
export function scaleNotFound(request: ApiRequest): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof StatusError) || error.code !== 404) throw error;
    const resource = resourceOf(request);
    const { groupVersion, plural } = resource;
    if (runTimeKindOf(resource) !== undefined) throw error;
    const [ofScale = ''] = scaleKind(request).apiVersion.split('/');
    const group = groupVersion.group || ofScale;
    const isRead = request.operation.method === 'GET' && plural !== 'statefulsets';
    if (groupVersion.group !== ofScale && !isRead) throw error;
    throw notFound(
      { ...resource, groupVersion: { ...groupVersion, group }, plural: `${plural}/scale` },
      objectKeyOf(request).name,
    );
  };
}

/** Returns the first field of an object on a path, with a value at the end of the path. */
export function withValueAt(object: unknown, [first = '', ...rest]: readonly string[], value: unknown): object {
  const fields = isRecord(object) ? object : {};
  if (rest.length === 0) return { [first]: value };
  const inner = own(fields, first);
  return { [first]: { ...(isRecord(inner) && inner), ...withValueAt(inner, rest, value) } };
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (isRecord(value) ? own(value, name) : undefined), object);
}

function scaledValues(object: KubeObject, resource: Resource): { replicas: number; now: number; selector: unknown } {
  const made = runTimeKindOf(resource)?.scale;
  if (made !== undefined) {
    const numberAt = (path: readonly string[]) => Number(valueAt(object, path) ?? 0);
    const selector = made.selector && valueAt(object, made.selector);
    return { replicas: numberAt(made.replicas), now: numberAt(made.statusReplicas), selector };
  }
  const { replicas = 0, selector } = part<{ replicas?: number; selector?: unknown }>(object, 'spec');
  return { replicas, now: part<{ replicas?: number }>(object, 'status').replicas ?? 0, selector };
}

function scaleOf(object: KubeObject, resource: Resource, { apiVersion, kind }: Expected): KubeObject {
  const { name = '', namespace, selfLink, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { replicas, now, selector: given } = scaledValues(object, resource);
  const selector =
    typeof given === 'string' ? {} : labelSelectorOf(given as ObjectOf<'LabelSelector'> | Labels | undefined);
  const text = typeof given === 'string' ? given : selectorText(selector);
  const plainLabels = (selector.matchExpressions ?? []).length === 0;
  const shown =
    apiVersion === apiVersionOf({ ...resource.groupVersion, group: 'extensions', version: 'v1beta1' })
      ? { ...(plainLabels && { selector: selector.matchLabels }), ...(text && { targetSelector: text }) }
      : text && { selector: text };
  return {
    kind,
    apiVersion,
    metadata: {
      name,
      ...(namespace && { namespace }),
      ...(selfLink !== undefined && { selfLink: `${selfLinkOf(resource, namespace, name)}/scale` }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
      ...(creationTimestamp && { creationTimestamp }),
    },
    // Servers omit zero replicas from the spec.
    spec: replicas ? { replicas } : {},
    status: { replicas: now, ...(shown || {}) },
  };
}

type Labels = Readonly<Record<string, string>>;

/** Returns a LabelSelector. The selector of a ReplicationController is a map of labels. */
function labelSelectorOf(selector: ObjectOf<'LabelSelector'> | Labels | undefined): ObjectOf<'LabelSelector'> {
  if (selector === undefined) return {};
  const structured = Object.values(selector).some((value) => typeof value === 'object');
  return structured ? (selector as ObjectOf<'LabelSelector'>) : { matchLabels: selector as Labels };
}

/** Returns a selector in the syntax of the `labelSelector` parameter. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: ObjectOf<'LabelSelector'>): string {
  const labels = Object.entries(matchLabels)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    return operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} (${values.join(',')})`;
  });
  return [...labels, ...expressions].join(',');
}
