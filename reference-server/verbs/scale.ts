// The scale of what has replicas: a small object of its own that shows and sets their number.
import { apiVersionOf, type Resource, type Verb } from '../../matrix/api/index.js';
import { badRequest, invalid, notFound, StatusError } from '../errors.js';
import { patchOf } from '../patch/index.js';
import { selfLinkOf } from '../registry/addresses.js';
import { Causes } from '../registry/causes.js';
import { dryRunOf } from '../registry/dryRun.js';
import { atOnce, type Change } from '../registry/store.js';
import type { LabelSelector } from '../registry/strategies/labelSelector.js';
import { viewOf } from '../registry/views.js';
import type { ApiRequest } from '../request.js';
import type { Expected } from '../schema/body.js';
import { type Draft, type KubeObject, part } from '../schema/object.js';
import {
  type Dependencies,
  draftOf,
  expectedBody,
  type MakeHandler,
  okObject,
  placeOf,
  resourceOf,
  storeOf,
} from './context.js';

export const readScale: MakeHandler = (dependencies) => async (request) => {
  const resource = resourceOf(request);
  const entry = await storeOf(request, dependencies).get(placeOf(request)).catch(scaleNotFound(request));
  return okObject(scaleOf(viewOf(resource, entry).object, resource, scaleKind(request)));
};

export const replaceScale: MakeHandler = (dependencies) => async (request) => {
  const scale = await draftOf(request);
  const { name = '' } = scale.metadata;
  const place = placeOf(request);
  if (name !== place.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${place.name})`);
  }
  return writeScale(
    request,
    dependencies,
    atOnce(() => scale),
    'UpdateOptions',
  );
};

export const patchScale: MakeHandler = (dependencies) => async (request) =>
  writeScale(
    request,
    dependencies,
    patchOf(request.body, scaleKind(request), dependencies.registry.lacks),
    'PatchOptions',
  );

async function writeScale(
  request: ApiRequest,
  dependencies: Dependencies,
  change: Change,
  options: 'UpdateOptions' | 'PatchOptions',
) {
  const dryRun = dryRunOf(options, request.query.getAll('dryRun'));
  const resource = resourceOf(request);
  const kind = scaleKind(request);
  const scaleIn = (current: KubeObject) => scaleOf(current, resource, kind);
  const scaled = (current: KubeObject, { metadata, spec }: Draft): Draft => {
    const replicas = (spec as { replicas?: number } | undefined)?.replicas ?? 0;
    requireReplicas(replicas, kind, metadata.name ?? '');
    const { name, namespace, uid, resourceVersion = '' } = metadata;
    return {
      ...current,
      metadata: {
        ...current.metadata,
        ...(name && { name }),
        ...(namespace && { namespace }),
        ...(uid && { uid }),
        resourceVersion,
      },
      spec: { ...(current.spec as object), replicas },
    };
  };
  const entry = await storeOf(request, dependencies)
    .update(
      placeOf(request),
      {
        ...change,
        now: (current) => scaled(current, change.now(scaleIn(current))),
        inTurns: async (current) => scaled(current, await change.inTurns(scaleIn(current))),
      },
      { dryRun },
    )
    .catch(scaleNotFound(request));
  return okObject(scaleOf(viewOf(resource, entry).object, resource, kind));
}

function requireReplicas(replicas: number, { apiVersion, kind }: Expected, name: string): void {
  const causes = new Causes();
  causes.notNegative('spec.replicas', replicas);
  const group = apiVersion.split('/')[0] ?? '';
  if (causes.list.length > 0) throw invalid({ group, kind }, name, causes.list);
}

const scaleKind = (request: ApiRequest): Expected => expectedBody(resourceOf(request), request.operation.verb as Verb);

/** What is not there has no scale either; the message names the subresource, in the group of the scale. */
function scaleNotFound(request: ApiRequest): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof StatusError) || error.code !== 404) throw error;
    const resource = resourceOf(request);
    const [group = ''] = scaleKind(request).apiVersion.split('/');
    const groupVersion = { ...resource.groupVersion, group };
    throw notFound({ ...resource, groupVersion, plural: `${resource.plural}/scale` }, placeOf(request).name);
  };
}

/** The scale of an object, in the version that is asked for. */
function scaleOf(object: KubeObject, resource: Resource, { apiVersion, kind }: Expected): KubeObject {
  const { name = '', namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const spec = part<{ replicas?: number; selector?: LabelSelector | Labels }>(object, 'spec');
  const { replicas = 0 } = part<{ replicas?: number }>(object, 'status');
  const selector = labelSelectorOf(spec.selector);
  const text = selectorText(selector);
  const plainLabels = (selector.matchExpressions ?? []).length === 0;
  const shown =
    apiVersion === apiVersionOf({ ...resource.groupVersion, group: 'extensions', version: 'v1beta1' })
      ? { ...(plainLabels && { selector: selector.matchLabels }), targetSelector: text }
      : { selector: text };
  return {
    kind,
    apiVersion,
    metadata: {
      name,
      ...(namespace && { namespace }),
      selfLink: `${selfLinkOf(resource, namespace, name)}/scale`,
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
      ...(creationTimestamp && { creationTimestamp }),
    },
    // Its zero says nothing, so JSON has no field for it.
    spec: spec.replicas ? { replicas: spec.replicas } : {},
    status: { replicas, ...shown },
  };
}

type Labels = Readonly<Record<string, string>>;

/** A ReplicationController selects by labels alone. */
function labelSelectorOf(selector: LabelSelector | Labels | undefined): LabelSelector {
  if (selector === undefined) return {};
  const structured = Object.values(selector).some((value) => typeof value === 'object');
  return structured ? (selector as LabelSelector) : { matchLabels: selector as Labels };
}

/** A selector as the query parameter writes it. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    return operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} (${values.join(',')})`;
  });
  return [...labels, ...expressions].join(',');
}
