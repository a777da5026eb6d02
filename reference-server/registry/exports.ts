// Exports: an object without the fields that users cannot set and, unless the export is exact, without cluster-specific
// fields.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { invalid } from '../errors.js';
import { Causes } from '../schema/causes.js';
import { type KubeObject, type ObjectMeta, part } from '../schema/object.js';
import type { Strategy } from './strategy.js';
import type { WriteContext } from './writing.js';

/**
 * Returns the object in a form that another cluster can create. An exact export keeps the namespace and assigned
 * values.
 */
export function exported({ resource, strategy }: WriteContext, object: KubeObject, exact: boolean): KubeObject {
  const clusterOwned = exact ? undefined : assigned[resource.kind];
  const kept = clusterOwned?.(object) ?? object;
  return { ...kept, ...initialStatus(strategy, kept, exact), metadata: exportedMetadata(kept.metadata, exact) };
}

function exportedMetadata(metadata: Readonly<ObjectMeta>, exact: boolean): ObjectMeta {
  const { name, generateName, namespace, labels, annotations, ownerReferences, finalizers } = metadata;
  // Drop a generated name, so that the next create generates one.
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

/**
 * The status of a new object. If clients set the status of the kind, an exact export keeps it; other exports have an
 * empty one.
 */
function initialStatus({ initialStatus }: Strategy, object: KubeObject, exact: boolean): { status?: unknown } {
  if (object.status === undefined) return {};
  if (initialStatus === 'given') return exact ? {} : { status: {} };
  return { status: initialStatus?.(object) ?? {} };
}

/** Removes values that the cluster assigned, by kind: in another cluster they may be taken or mean another thing. */
const assigned: Readonly<Record<string, (object: KubeObject) => KubeObject>> = {
  Service: (object) => {
    const {
      clusterIP,
      clusterIPs: _ips,
      healthCheckNodePort: _port,
      ports,
      ...spec
    } = part<ObjectOf<'ServiceSpec'>>(object, 'spec');
    const freed = ports?.map(({ nodePort: _nodePort, ...port }) => port);
    return { ...object, spec: { ...(freed && { ports: freed }), ...(clusterIP === 'None' && { clusterIP }), ...spec } };
  },
  Job: (object) => {
    // extensions/v1beta1 has the opposite flag.
    const { selector: _selector, ...spec } = part<ObjectOf<'batch.v1.JobSpec'> & { readonly autoSelector?: boolean }>(
      object,
      'spec',
    );
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

/** The labels that identify the pods of a Job. */
const ofJob = ['controller-uid', 'job-name'].flatMap((name) => [name, `batch.kubernetes.io/${name}`]);

/** Returns the object without them. */
function withoutIdentity<T extends { readonly metadata?: ObjectOf<'ObjectMeta'> }>(object: T): T {
  const { labels: before, ...metadata } = object.metadata ?? {};
  const labels = Object.fromEntries(Object.entries(before ?? {}).filter(([name]) => !ofJob.includes(name)));
  return { ...object, metadata: { ...metadata, ...(Object.keys(labels).length > 0 && { labels }) } };
}
