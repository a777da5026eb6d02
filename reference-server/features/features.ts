// What a server can be without: the names of `--without`, and the one question that all others ask.
import { type GroupVersion, type Resource, resourceId, resources } from '../../matrix/api/index.js';
import { OptionError } from '../optionError.js';

/** Every name but those of groups and resources: what the server is without it. */
export const features = {
  'dry-run': 'dryRun is ignored, in the query and in delete options: the write happens',
  limit: 'limit and continue are ignored: a list is always whole',
  'resource-version-match': 'resourceVersionMatch is ignored',
  'propagation-policy': 'propagationPolicy is ignored: orphanDependents decides, and no deletion is in the foreground',
  'precondition-version': 'preconditions.resourceVersion of delete options is ignored; the uid counts',
  'strategic-directives': '$setElementOrder, $retainKeys and $deleteFromPrimitiveList are fields like any other',
  bookmarks: 'allowWatchBookmarks is ignored: no watch gets one',
  'initial-events': 'sendInitialEvents is ignored',
  'cause-names': 'a request above its limit is refused as spec…limits, a changed network policy as spec',
  'jwt-algorithms': 'ID tokens are taken with RS256 only',
  'self-review': 'there are no selfsubjectreviews',
  'access-review': 'there are no selfsubjectaccessreviews; this server never has them',
  export: 'export and exact are answered 400: no longer supported',
  'legacy-proxy': 'the paths /api/v1/proxy/… are 404',
  'static-password': '--basic-auth-file has no effect: its users are refused',
  'identity-service': '--experimental-keystone-url has no effect: its users are refused',
  'token-secrets': 'service accounts get no token Secrets; pods get a projected volume in their place',
  protobuf: 'application/vnd.kubernetes.protobuf is neither read nor written',
  'garbage-collection': 'dependents stay when their owner goes',
  'quota-controller': 'no quota gets a status; one whose status is written is enforced by it, and deletes free nothing',
  'namespace-controller': 'a deleted namespace stays Terminating, with its contents',
  'service-account-controller': 'no namespace gets a default service account, no account gets a token',
  'service-account-admission': 'pods need no service account and get no token mount',
} as const;

/** What a server can lack. */
export type Feature = keyof typeof features | `group:${string}` | `resource:${string}`;

/** Whether the server is one that lacks a feature. */
export type Lacks = (feature: Feature) => boolean;

/** A server that lacks nothing. */
export const lacksNothing: Lacks = () => false;

/** The names of the groups that can be left out. */
const groupNames = [...new Set(resources.map(({ groupVersion }) => groupVersion.group))].filter(
  (group) => group !== '',
);

/** What `--without` takes, beside the resources: `resource:<group>/<plural>`. */
export const featureNames: readonly string[] = [
  ...Object.keys(features),
  ...groupNames.map((group) => `group:${group}`),
];

/** Reads the names of `--without`. Throws an OptionError with the known ones. */
export function lacking(names: readonly string[]): Lacks {
  if (names.length === 0) return lacksNothing;
  const strange = names.find((name) => !isKnown(name));
  if (strange !== undefined) {
    throw new OptionError(
      `--without: "${strange}" is not a feature; known are ${featureNames.join(', ')} and resource:<group>/<plural>`,
    );
  }
  const lacked: ReadonlySet<string> = new Set(names);
  return (feature) => lacked.has(feature);
}

function isKnown(name: string): boolean {
  const [, kind, value = ''] = /^(group|resource):(.+)$/.exec(name) ?? [];
  if (kind === 'group') return groupNames.includes(value);
  if (kind === 'resource') return resources.some((resource) => resourceId(resource) === value);
  return Object.hasOwn(features, name);
}

/** Resources that are left out by a name of their own. */
const named: Readonly<Record<string, Feature>> = {
  'authentication.k8s.io/selfsubjectreviews': 'self-review',
};

/** Whether a group version, or one resource of it, is left out. */
export function isLeftOut(
  { groupVersion, resource }: { readonly groupVersion: GroupVersion; readonly resource?: Resource },
  lacks: Lacks,
): boolean {
  if (lacks(`group:${groupVersion.group}`)) return true;
  if (resource === undefined) return false;
  const id = resourceId(resource);
  const feature = named[id];
  return lacks(`resource:${id}`) || (feature !== undefined && lacks(feature));
}
