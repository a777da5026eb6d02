// Features that a conforming server may lack: younger than the document, removed since, or provided by a controller or
// by an optional plug-in.
import type { Mechanism } from '../api/index.js';

/** A minor version of Kubernetes, such as `1.20`. */
export type MinorVersion = `${number}.${number}`;

/** The entry in the OpenAPI of servers that have a feature. */
export type Listing = { readonly parameter: string } | { readonly definition: string; readonly field: string };

/** One row of the table. */
export interface Feature {
  /**
   * `young`: a convention that is younger than the document. `gone`: stated by the document, and removed since.
   * `controller`: provided by a program that runs beside a kube-apiserver. `plug-in`: provided by an admission plug-in
   * that can be switched off, and that the document does not name.
   */
  readonly kind: 'young' | 'gone' | 'controller' | 'plug-in';
  /** The name of the feature in a reason. */
  readonly title: string;
  /** The feature, in one sentence. */
  readonly text: string;
  /** The first version with the feature enabled by default. */
  readonly since?: MinorVersion;
  /** The first version with the feature disabled by default: its OpenAPI lists the feature nevertheless. */
  readonly gatedSince?: MinorVersion;
  /** The last version in which the feature can be disabled, whatever its OpenAPI lists. */
  readonly gatedUntil?: MinorVersion;
  /** The last version with the feature. */
  readonly until?: MinorVersion;
  /** The entry in the OpenAPI; absent if there is none. */
  readonly listing?: Listing;
  /** How a run finds out whether the server has the feature. */
  readonly probe: string;
  /** The URL of more information. */
  readonly link: string;
}

const docs = 'https://kubernetes.io/docs';
const concepts = `${docs}/reference/using-api/api-concepts`;
const authentication = `${docs}/reference/access-authn-authz/authentication`;
const plugins = `${docs}/reference/access-authn-authz/admission-controllers`;
const accounts = `${docs}/reference/access-authn-authz/service-accounts-admin`;

const features = {
  'dry-run': {
    kind: 'young',
    title: 'dry run',
    text: 'A write with dryRun=All is answered and changes nothing.',
    since: '1.13',
    gatedSince: '1.12',
    listing: { parameter: 'dryRun' },
    probe: 'a create with dryRun=All must not store the object',
    link: `${concepts}/#dry-run`,
  },
  limit: {
    kind: 'young',
    title: 'limit/continue',
    text: 'A list is read in pages, by limit and continue.',
    since: '1.9',
    gatedSince: '1.8',
    gatedUntil: '1.28',
    listing: { parameter: 'limit' },
    probe: 'a list of two objects with limit=1 must hold one, or any continue token must be refused',
    link: `${concepts}/#retrieving-large-results-sets-in-chunks`,
  },
  'resource-version-match': {
    kind: 'young',
    title: 'resourceVersionMatch',
    text: 'A list says by resourceVersionMatch how its resourceVersion is meant.',
    since: '1.19',
    listing: { parameter: 'resourceVersionMatch' },
    probe: 'a list with a resourceVersionMatch that does not exist must be refused',
    link: `${concepts}/#resource-versions`,
  },
  'propagation-policy': {
    kind: 'young',
    title: 'propagation policies',
    text: 'A delete chooses by propagationPolicy what happens to dependents; `Foreground` is supported.',
    since: '1.7',
    listing: { definition: 'DeleteOptions', field: 'propagationPolicy' },
    probe: 'a delete with a policy that does not exist must be refused',
    link: `${docs}/concepts/architecture/garbage-collection/#cascading-deletion`,
  },
  'precondition-version': {
    kind: 'young',
    title: 'preconditions.resourceVersion',
    text: 'A delete can require a resourceVersion of its object.',
    since: '1.14',
    listing: { definition: 'Preconditions', field: 'resourceVersion' },
    probe: 'a delete that requires an old resourceVersion must be refused',
    link: `${docs}/reference/kubernetes-api/common-definitions/delete-options/`,
  },
  'strategic-directives': {
    kind: 'young',
    title: 'the later strategic merge directives',
    text: 'A strategic merge patch knows $deleteFromPrimitiveList, $setElementOrder and $retainKeys.',
    since: '1.8',
    probe: 'a strategic merge patch with $retainKeys must clear the other keys of a map',
    link: `${docs}/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/`,
  },
  bookmarks: {
    kind: 'young',
    title: 'watch bookmarks',
    text: 'A watch with allowWatchBookmarks=true sends resourceVersions to resume from.',
    since: '1.16',
    gatedSince: '1.15',
    listing: { parameter: 'allowWatchBookmarks' },
    probe: 'a watch of four seconds with allowWatchBookmarks=true must tell one',
    link: `${concepts}/#watch-bookmarks`,
  },
  'initial-events': {
    kind: 'young',
    title: 'initial events of a watch',
    text: 'A watch with sendInitialEvents=true begins with all that is there, and a bookmark after it.',
    // enabled by default in 1.32, disabled again in 1.33
    since: '1.34',
    gatedSince: '1.27',
    listing: { parameter: 'sendInitialEvents' },
    probe: 'a watch with sendInitialEvents=true must be accepted and tell that bookmark',
    link: `${concepts}/#streaming-lists`,
  },
  'cause-names': {
    kind: 'young',
    title: 'the later names of causes',
    text: 'The causes of a 422 name the fields as later servers name them.',
    since: '1.10',
    probe: 'a pod that requests more than its limit must be refused, and the cause must name the requests',
    link: `${docs}/reference/kubernetes-api/common-definitions/status/`,
  },
  'jwt-algorithms': {
    kind: 'young',
    title: 'ID tokens of ES256 and PS256',
    text: 'OpenID Connect accepts ID tokens of other algorithms than RS256.',
    since: '1.11',
    probe: 'of three tokens of the issuer that of RS256 and another must be accepted',
    link: `${authentication}/#openid-connect-tokens`,
  },
  'review-token': {
    kind: 'young',
    title: 'the refusal of a TokenReview without a token',
    text: 'A TokenReview that holds no token is refused.',
    since: '1.8',
    probe: 'a TokenReview without a token must be refused',
    link: `${docs}/reference/kubernetes-api/authentication-resources/token-review-v1/`,
  },
  'refusal-status': {
    kind: 'young',
    title: 'a Status in the body of a 401',
    text: 'The body of a 401 or 403 is a Status, and not plain text.',
    since: '1.6',
    probe: 'a request with a token that nobody has must be answered with a Status',
    link: `${docs}/reference/kubernetes-api/common-definitions/status/`,
  },
  'self-review': {
    kind: 'young',
    title: 'SelfSubjectReview',
    text: 'A SelfSubjectReview returns the authenticated user.',
    since: '1.28',
    probe: 'a SelfSubjectReview must not be 404',
    link: `${authentication}/#self-subject-review`,
  },
  export: {
    kind: 'gone',
    title: 'export',
    text: 'A read with export=true leaves out what the server set.',
    until: '1.20',
    probe: 'a read with export=true is refused as no longer supported',
    link: `${docs}/reference/using-api/deprecation-policy/`,
  },
  'legacy-proxy': {
    kind: 'gone',
    title: 'the legacy proxy paths',
    text: 'Nodes, pods and services are reached by /api/v1/proxy too.',
    until: '1.9',
    probe: 'every path below /api/v1/proxy is 404, and no object is named as missing',
    link: `${docs}/tasks/access-application-cluster/access-cluster-services/`,
  },
  'static-password': {
    kind: 'gone',
    title: 'static passwords',
    text: 'Users of a password file are accepted by Basic authentication.',
    until: '1.18',
    probe: 'a server of a later version refuses every password of the fixtures',
    link: `${authentication}/`,
  },
  'identity-service': {
    kind: 'gone',
    title: 'the identity service',
    text: 'Users of an identity service are accepted by Basic authentication.',
    until: '1.9',
    probe: 'a server of a later version refuses every password of the fixtures',
    link: `${authentication}/`,
  },
  'token-secrets': {
    kind: 'gone',
    title: 'token Secrets of service accounts',
    text: 'A new service account gets a Secret with a token.',
    until: '1.23',
    probe: 'an account of a server of a later version gets none while a Secret made by hand is filled',
    link: `${docs}/concepts/configuration/secret/#serviceaccount-token-secrets`,
  },
  'garbage-collection': {
    kind: 'controller',
    title: 'garbage collection',
    text: 'An object is deleted when all its owners are gone.',
    probe: 'an object whose owner has never been there must go',
    link: `${docs}/concepts/architecture/garbage-collection/`,
  },
  'quota-controller': {
    kind: 'controller',
    title: 'the quota controller',
    text: 'The status of a ResourceQuota is written, and follows deletes.',
    probe: 'a new ResourceQuota must get its status',
    link: `${docs}/concepts/policy/resource-quotas/`,
  },
  'namespace-controller': {
    kind: 'controller',
    title: 'the namespace controller',
    text: 'A deleted namespace is emptied, and then removed.',
    probe: 'a new namespace must go after its delete',
    link: `${docs}/concepts/overview/working-with-objects/namespaces/`,
  },
  'service-account-controller': {
    kind: 'controller',
    title: 'the service account controller',
    text: 'A new namespace gets the service account default.',
    probe: 'a new namespace must get the service account default',
    link: `${accounts}/#serviceaccount-controller`,
  },
  'token-controller': {
    kind: 'controller',
    title: 'the token controller',
    text: 'A Secret of a service account is filled with a token.',
    probe: 'a Secret made by hand must be filled',
    link: `${accounts}/#token-controller`,
  },
  'limit-ranger': {
    kind: 'plug-in',
    title: 'the admission plug-in LimitRanger',
    text: 'A write keeps to the LimitRanges of its namespace.',
    probe: 'a pod must get the default of a new LimitRange, or be refused beyond its limit',
    link: `${plugins}/#limitranger`,
  },
  'quota-admission': {
    kind: 'plug-in',
    title: 'the admission plug-in ResourceQuota',
    text: 'A write keeps to the ResourceQuotas of its namespace.',
    probe: 'a create beyond a new ResourceQuota must be refused',
    link: `${plugins}/#resourcequota`,
  },
  'namespace-lifecycle': {
    kind: 'plug-in',
    title: 'the admission plug-in NamespaceLifecycle',
    text: 'Nothing is created in a namespace that is absent or ends, and the namespace default stays.',
    probe: 'a create must be refused in an absent namespace, or in one that ends',
    link: `${plugins}/#namespacelifecycle`,
  },
} as const satisfies Record<string, Feature>;

export type FeatureName = keyof typeof features;

/** Every name of a feature, in the order of the table. */
export const featureNames = Object.keys(features) as readonly FeatureName[];

export const featureOf = (name: FeatureName): Feature => features[name];

/** The features that a requirement or a subject needs. */
export type Needs = FeatureName | readonly FeatureName[];

/**
 * A capability that a server may lack: a group (`group:extensions`), a resource (`resource:extensions/deployments`), an
 * operation (`operation:` and its id), a media type (`mediaType:protobuf`), a mechanism of authentication
 * (`mechanism:staticPassword`), a node that runs pods (`nodes:running`) or records the requests that reach it
 * (`nodes:observed`), or a feature of the table (`feature:dry-run`). In a declared absence it is a pattern of the
 * whole, such as `operation:GET /api/v1/proxy/*`.
 */
export type Capability =
  | `group:${string}`
  | `resource:${string}`
  | `operation:${string}`
  | `mediaType:${string}`
  | `mechanism:${Mechanism}`
  | `nodes:${NodeNeed}`
  | `feature:${FeatureName}`;

export type NodeNeed = 'running' | 'observed';
