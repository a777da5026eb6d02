// The APIServices of what the server itself serves: its own groups, and those of definitions.
import type { GroupVersion, Resource } from '../../../matrix/api/index.js';
import type { Store } from '../../registry/store.js';
import { equal, type KubeObject } from '../../schema/object.js';
import { unless, unlessGone } from '../../statusError.js';

/** The order of the groups: the first has the highest number. Groups that are not here follow the last. */
const priorities: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  extensions: 17_150,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'admissionregistration.k8s.io': 16_700,
  'apiextensions.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
  'resource.k8s.io': 15_900,
};
const unlisted = 15_000;

/** The order of the versions of a group, where it is not that of stable, beta and alpha. */
const versionPriorities: Readonly<Record<string, number>> = {
  v1: 1,
  'autoscaling/v2': 30,
  'events.k8s.io/v1beta1': 5,
  'extensions/v1beta1': 1,
  'flowcontrol.apiserver.k8s.io/v1': 21,
};
const stable = 15;
const unstable = 9;
const prioritiesOf = ({ group, version }: ApiVersion) => ({
  groupPriorityMinimum: priorities[group] ?? unlisted,
  versionPriority:
    versionPriorities[group === '' ? version : `${group}/${version}`] ?? (/^v\d+$/.test(version) ? stable : unstable),
});

/** The label that says who keeps an APIService: written when the server starts, or always, as its definition is. */
const managed = 'kube-aggregator.kubernetes.io/automanaged';
type How = 'onstart' | 'true';
const ofDefinitions = { groupPriorityMinimum: 1000, versionPriority: 100 };

export type ApiServices = Pick<Store, 'find' | 'list' | 'create' | 'delete' | 'updateInternally'>;
export type ApiVersion = Pick<GroupVersion, 'group' | 'version'>;

/** Returns the name of the APIService of a group version. */
export const apiServiceNameOf = ({ group, version }: ApiVersion): string => `${version}.${group}`;

/** Reports whether an APIService is there because of a definition. */
const isOfDefinition = ({ metadata: { labels } }: KubeObject): boolean => labels?.[managed] === 'true';

/**
 * Writes the APIServices of what a server has when it starts, and removes those of definitions that are gone. One that a
 * client has made for the same group version stays as it is.
 */
export async function placeOwnApis(apiServices: ApiServices, served: readonly Resource[], made: ReadonlySet<Resource>) {
  const known = new Set<string>();
  for (const resource of served) {
    const { groupVersion } = resource;
    const name = apiServiceNameOf(groupVersion);
    if (known.has(name)) continue;
    known.add(name);
    await placeApi(apiServices, groupVersion, made.has(resource) ? 'true' : 'onstart');
  }
  for (const { value } of (await apiServices.list()).entries) {
    if (isOfDefinition(value) && !known.has(value.metadata.name ?? '')) await removeApi(apiServices, value);
  }
}

/** Writes the APIService of a group version. */
export async function placeApi(apiServices: ApiServices, apiVersion: ApiVersion, how: How): Promise<void> {
  const { group, version } = apiVersion;
  const name = apiServiceNameOf(apiVersion);
  const key = { namespace: undefined, name };
  const labels = { [managed]: how };
  const spec = {
    ...(group !== '' && { group }),
    version,
    ...(how === 'true' ? ofDefinitions : prioritiesOf(apiVersion)),
  };
  const current = (await apiServices.find(key))?.value;
  if (current === undefined) {
    await apiServices.create(undefined, { metadata: { name, labels }, spec }).catch(unless(409));
    return;
  }
  if (current.metadata.labels?.[managed] === undefined || equal(current.spec, spec)) return;
  const put = ({ metadata, ...others }: KubeObject): KubeObject => ({
    ...others,
    metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
    spec,
  });
  await apiServices.updateInternally(key, put).catch(unlessGone);
}

async function removeApi(apiServices: ApiServices, { metadata: { name = '', uid } }: KubeObject): Promise<void> {
  const options = { dryRun: false, ...(uid !== undefined && { uid }) };
  await apiServices.delete({ namespace: undefined, name }, options).catch(unless(404, 409));
}

/** Removes the APIService of a group version that no definition has any more. */
export async function dropApi(apiServices: ApiServices, apiVersion: ApiVersion): Promise<void> {
  const found = await apiServices.find({ namespace: undefined, name: apiServiceNameOf(apiVersion) });
  if (found !== undefined && isOfDefinition(found.value)) await removeApi(apiServices, found.value);
}
