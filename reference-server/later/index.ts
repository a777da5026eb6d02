// What registers itself with the core: what came after the interface, and what accompanies any server.
import { featureNamesOf } from '../features/features.js';
import * as core from '../index.js';
import type { AppOptions } from '../options.js';
import { tableWith } from '../versions/servedResources.js';
import { builtInAdmission } from './admission/index.js';
import type { FrontProxyOptions } from './aggregation/frontProxy.js';
import { type AggregationOptions, aggregation } from './aggregation/index.js';
import { Remotes } from './aggregation/remotes.js';
import { auditLog } from './audit/audit.js';
import type { AuditOptions } from './audit/log.js';
import { evaluateCondition } from './cel/admission.js';
import { certificates } from './certificates/index.js';
import { type Controls, controlled } from './control/controls.js';
import type { JournalOptions } from './control/journal.js';
import { customResources } from './customresources/index.js';
import { aggregatedDiscovery } from './discovery/index.js';
import { flowControl } from './flowcontrol/index.js';
import { furniture } from './furniture/index.js';
import { groups, presentVersion } from './groups/index.js';
import { issuerDiscovery } from './issuer/index.js';
import { managedFields } from './managedfields/index.js';
import { metrics } from './metrics/index.js';
import { documentsOf, type OpenApiDocuments } from './openapi/offline.js';
import { openApi } from './openapi/routes.js';
import { policies } from './policies/index.js';
import { rbac } from './rbac/index.js';
import { representations } from './representations/index.js';
import { Actions } from './webhooks/actions.js';
import { webhooks } from './webhooks/index.js';
import { welcomePage } from './welcome.js';
import { workloads } from './workloads/index.js';

export type { OpenApiDocuments } from './openapi/offline.js';

export interface LaterOptions
  extends AuditOptions,
    FrontProxyOptions,
    Pick<AggregationOptions, 'allowLoopbackWebhooks'> {
  /** `--modern`: what came after the interface, such as apps/v1, which shows the same objects; true by default. */
  readonly modern?: boolean;
  /** Records the last requests for tests; false by default. */
  readonly requests?: boolean | JournalOptions;
}

/** What changes the API of a server. */
const ofPresentServers = (
  options: AggregationOptions & Pick<AppOptions, 'componentTokens'>,
  remotes = new Remotes(),
  actions = new Actions(),
): readonly core.Addon[] => [
  aggregatedDiscovery(remotes),
  aggregation(options, remotes),
  builtInAdmission,
  certificates(),
  customResources(options),
  flowControl(),
  furniture(() => remotes.published),
  groups,
  issuerDiscovery,
  managedFields,
  rbac(options.componentTokens ?? []),
  workloads(),
  metrics,
  policies(actions),
  webhooks(options, evaluateCondition, actions),
  welcomePage,
];

/** What every server has: clients of the interface ask for it too, and no object looks different for it. */
const ofEveryServer = (remotes?: Remotes): readonly core.Addon[] => [openApi(remotes), representations];

function addonsOf({
  modern = true,
  ...options
}: LaterOptions & AggregationOptions & AppOptions): readonly core.Addon[] {
  if (!modern) return ofEveryServer();
  const remotes = new Remotes();
  return [...ofPresentServers(options, remotes), ...ofEveryServer(remotes)];
}

/** The newest version of Kubernetes that a server can report. */
export const newestKubeVersion = groups.kubeVersion;

/** The values of `--without`, except those for single resources. */
export const featureNames = featureNamesOf(
  tableWith(ofPresentServers({}).flatMap(({ kinds = [] }) => kinds.map((kind) => kind.resource))),
);

/** What tests do to the server. Absent if the option `handlers` replaces the server's own. */
interface Controlled {
  readonly controls?: Controls;
}

/** A running server, and what tests do to it. */
export type FullServer = core.RunningServer & Controlled;

/** The options of a server with what this folder adds. */
export type FullServerOptions = core.ServerOptions & LaterOptions;

/** Starts the API with what the options choose. Throws like `createApp` of the core. */
export async function createFullApp(options: AppOptions & LaterOptions = {}): Promise<core.Api & Controlled> {
  return started(options, (addons) => core.createApp(options, addons));
}

/** Starts a server with what the options choose. Throws like `startServer` of the core. */
export async function startFullServer(options: FullServerOptions = {}): Promise<FullServer> {
  return started(options, (addons) => core.startServer(options, addons));
}

async function started<Server extends object>(
  options: AppOptions & LaterOptions,
  start: (addons: readonly core.Addon[]) => Promise<Server>,
): Promise<Server & Controlled> {
  const control = controlled(options.requests ?? false);
  const server = await start([...addonsOf(options), control, auditLog(options)]);
  return Object.assign(server, control.controls && { controls: control.controls });
}

/** Returns the version that `/version` of a server has, such as `v1.36.0+kube-api-conformance`. */
export const reportedVersion = (kubeVersion = presentVersion): string => core.gitVersionOf(kubeVersion);

/** Returns the OpenAPI documents of a server with these options. Throws OptionError for an invalid option. */
export const openApiDocuments = (options: AppOptions & LaterOptions = {}): Promise<OpenApiDocuments> =>
  documentsOf(options, addonsOf(options));
