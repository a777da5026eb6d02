// Exports: an object without what a user cannot specify and, unless it is to be exact, without what is this cluster's.
import type { Resource } from '../../matrix/api/index.js';
import { invalid } from '../errors.js';
import { type KubeObject, type ObjectMeta, part } from '../schema/object.js';
import { storedResource } from './addresses.js';
import { Causes } from './causes.js';
import { strategyOf } from './strategies/index.js';

/** What somebody could create the object from elsewhere; an exact one keeps its place and what was assigned to it. */
export function exported(resource: Resource, object: KubeObject, exact: boolean): KubeObject {
  const clusterOwned = exact ? undefined : assigned[resource.kind];
  const kept = clusterOwned?.(object) ?? object;
  return { ...kept, ...initialStatus(resource, kept, exact), metadata: exportedMetadata(kept.metadata, exact) };
}

function exportedMetadata(metadata: Readonly<ObjectMeta>, exact: boolean): ObjectMeta {
  const { name, generateName, namespace, labels, annotations, ownerReferences, finalizers } = metadata;
  // A name that was generated is generated again.
  const named = exact || !generateName;
  return {
    ...(named && name && { name }),
    ...(generateName && { generateName }),
    ...(exact && namespace && { namespace }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences }),
    ...(finalizers && { finalizers }),
  };
}

/** The status is that of a new object; a kind that brings its own is asked for it again. */
function initialStatus(resource: Resource, object: KubeObject, exact: boolean): { status?: unknown } {
  if (object.status === undefined) return {};
  const { initialStatus } = strategyOf(storedResource(resource));
  if (initialStatus === 'given') return exact ? {} : { status: {} };
  return { status: initialStatus?.() ?? {} };
}

interface ServiceSpec {
  readonly clusterIP?: string;
  readonly ports?: readonly { readonly nodePort?: number }[];
}

interface JobSpec {
  /** The two versions say the opposite of each other. */
  readonly manualSelector?: boolean;
  readonly autoSelector?: boolean;
  readonly selector?: object;
  readonly template?: KubeObject;
}

/** Values that the cluster made, by kind: they would not be free, or not mean the same, elsewhere. */
const assigned: Readonly<Record<string, (object: KubeObject) => KubeObject>> = {
  Service: (object) => {
    const { clusterIP, ports, ...spec } = part<ServiceSpec>(object, 'spec');
    const freed = ports?.map(({ nodePort: _nodePort, ...port }) => port);
    return { ...object, spec: { ...(freed && { ports: freed }), ...(clusterIP === 'None' && { clusterIP }), ...spec } };
  },
  Job: (object) => {
    const { selector: _selector, ...spec } = part<JobSpec>(object, 'spec');
    const generated = object.apiVersion === 'batch/v1' ? !spec.manualSelector : spec.autoSelector;
    if (!generated) return object;
    const template = spec.template && withoutIdentity(spec.template);
    return { ...withoutIdentity(object), spec: { ...spec, ...(template && { template }) } };
  },
  Secret: (object) => {
    if (object.type !== 'kubernetes.io/service-account-token') return object;
    const causes = new Causes();
    causes.invalid(
      'type',
      object.type,
      'a service account token belongs to its cluster: it is exported exactly or not',
    );
    throw invalid({ group: '', kind: 'Secret' }, object.metadata.name ?? '', causes.list);
  },
};

/** Without the labels by which a Job finds its own pods. */
function withoutIdentity(object: KubeObject): KubeObject {
  const { 'controller-uid': _uid, 'job-name': _name, ...labels } = object.metadata?.labels ?? {};
  const { labels: _labels, ...metadata } = object.metadata ?? {};
  return { ...object, metadata: { ...metadata, ...(Object.keys(labels).length > 0 && { labels }) } };
}
