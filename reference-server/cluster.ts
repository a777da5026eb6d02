// Wires the parts behind the handlers: storage, registry, admission, quotas, tokens, watch cache, controllers.
import type { Resource } from '../matrix/api/index.js';
import { AdmissionChain } from './admission/chain.js';
import { admissionPlugins } from './admission/index.js';
import type { Plugin } from './admission/plugin.js';
import type { AuthorizationMode, Authorizer } from './authorization/authorizer.js';
import { MovableClock } from './clock.js';
import { Activity } from './controllers/activity.js';
import type { Controller } from './controllers/controller.js';
import { Health } from './controllers/health.js';
import { type ControllerParts, type Report, startControllers } from './controllers/index.js';
import { ownKubeVersion } from './discovery/discovery.js';
import { type IsDisabled, nothingDisabled } from './features/features.js';
import { inMemory } from './openStorage.js';
import type { CompleteOptions } from './options.js';
import { Evaluators } from './quota/evaluators.js';
import { QuotaLedger } from './quota/ledger.js';
import { OwnCharges, SharedCharges } from './quota/pendingCharges.js';
import type { Origin } from './registry/admission.js';
import type { OwnedTypes } from './registry/fields.js';
import { type RegisteredKind, Registry } from './registry/registry.js';
import type { ServiceAccount } from './registry/strategies/serviceAccounts.js';
import type { Strategy } from './registry/strategy.js';
import { addDefaults, type FieldDefaults } from './schema/defaults.js';
import { BoundTokens } from './serviceaccounts/boundTokens.js';
import { readSigningKey, type SigningKey } from './serviceaccounts/signingKey.js';
import { TokenIssuer } from './serviceaccounts/tokenIssuer.js';
import { TokenSecrets } from './serviceaccounts/tokenSecrets.js';
import { alone, type Leadership, type Storage } from './storage/storage.js';
import { ServedResources, tableWith } from './versions/servedResources.js';
import { WatchCache } from './watch/cache.js';

/** The parts of a cluster. Each part gets only those functions of other parts that it needs. */
export interface Cluster extends ControllerParts {
  readonly registry: Registry;
  readonly quotas: QuotaLedger;
  readonly watchCache: WatchCache;
  readonly boundTokens: BoundTokens;
  readonly clock: MovableClock;
  /** Whether objects and lists have a `metadata.selfLink`. */
  readonly selfLinks: boolean;
  /** Decides by what is stored; absent if no addon does. */
  readonly authorizer?: Authorizer;
  /** PEM: the authorities of the client certificates that addons issue. */
  readonly clientAuthorities: readonly string[];
  /** Starts what addons have made. Called before the server takes requests. */
  prepare(): Promise<void>;
  /** Ends what addons have made. Called before the storage closes. */
  release(): void;
}

export interface RunningCluster extends Cluster {
  stop(): Promise<void>;
}

/** What can be registered behind the requests. */
export interface ClusterAddon {
  readonly kinds?: readonly RegisteredKind[];
  /** Returns a strategy with what came later for a stored resource, on a server that reports a version such as `1.36`. */
  grown?(stored: Resource, strategy: Strategy, kubeVersion: string, lacks: IsDisabled): Strategy;
  /** The defaults of single fields in its kinds. */
  readonly defaults?: FieldDefaults;
  /** Keeps track of the owners of fields. */
  readonly owners?: OwnedTypes;
  /** Makes parts over the stores. */
  partsOf?(cluster: AddonDependencies): AddonParts;
}

interface AddonDependencies {
  /** The stores through which the server itself writes, and its controllers. */
  readonly ownRegistry: Registry;
  readonly controllerRegistry: Registry;
  readonly served: ServedResources;
  readonly storage: Pick<Storage, 'revision' | 'list' | 'watch'>;
  readonly authorizationMode: AuthorizationMode;
  readonly now: () => Date;
  /** PEM: the certificate authority of the server, for clients; empty if it is unknown. */
  readonly rootCa: string;
  /** The minor version of Kubernetes that the server reports. */
  readonly minor: number;
  readonly lacks: IsDisabled;
  /** The key of the server, which its storage keeps. */
  readonly signingKey: SigningKey;
}

interface AddonParts {
  readonly controllers?: readonly Controller[];
  readonly admission?: readonly Plugin[];
  /** Decides in place of the authorizer of the mode. */
  readonly authorizer?: Authorizer;
  /** PEM: the authority of the client certificates that the addon issues. */
  readonly clientAuthority?: string;
  /** Called before the server takes requests. */
  start?(): Promise<void>;
  /** Called before the storage closes. */
  stop?(): void;
}

/** The controllers as those see them to whom plug-ins show their writes. */
const controllers: Origin = {
  user: { name: 'system:kube-controller-manager', groups: ['system:authenticated'] },
  query: new URLSearchParams(),
  left: new AbortController().signal,
  warn() {},
  annotate() {},
};

/** How long another server may take to create the token of an account, in milliseconds. */
const othersMillis = 5_000;

/** Since this version, servers leave `metadata.selfLink` out. */
const noMoreSelfLinks = 20;

/** Since this version, quotas count the objects of any resource. */
const sinceCounts = 9;

interface ClusterOptions {
  readonly storage: Storage;
  readonly leadership?: Leadership;
  readonly isShared?: boolean;
  readonly issuer: TokenIssuer;
  readonly lacks?: IsDisabled;
  readonly addons?: readonly ClusterAddon[];
  readonly maxObjectSize?: number;
  readonly kubeVersion?: string;
  readonly authorizationMode?: AuthorizationMode;
}

/** Wires a cluster over a storage. Does not start its controllers. */
export function createCluster({
  storage,
  issuer,
  leadership = alone,
  isShared = false,
  lacks = nothingDisabled,
  addons = [],
  maxObjectSize,
  kubeVersion = ownKubeVersion,
  authorizationMode = 'AlwaysAllow',
}: ClusterOptions): Cluster {
  const activity = new Activity();
  const clock = new MovableClock(() => activity.settled(storage));
  const { now } = clock;
  const kinds = addons.flatMap((addon) => addon.kinds ?? []);
  const served = new ServedResources(tableWith(kinds.map(({ resource }) => resource)));
  const admission = new AdmissionChain();
  const { owners } = addons.find((addon) => addon.owners !== undefined) ?? {};
  const minor = Number(kubeVersion.split('.')[1]);
  const selfLinks = minor < noMoreSelfLinks;
  const registry = new Registry({
    selfLinks,
    storage,
    admission,
    now,
    leavesContents: lacks('namespace-controller'),
    grown: (stored, strategy) =>
      addons.reduce((grown, addon) => addon.grown?.(stored, grown, kubeVersion, lacks) ?? grown, strategy),
    rowOf: (id) => served.byId(id),
    ...(owners && { types: owners }),
    ...(maxObjectSize !== undefined && { maxObjectSize }),
  });
  for (const kind of kinds) registry.add(kind);
  for (const { defaults = {} } of addons) addDefaults(defaults);
  const ownRegistry = registry.as('kube-apiserver');
  const controllerRegistry = registry.as('kube-controller-manager', controllers);
  const accounts = controllerRegistry.of<ServiceAccount>('core/serviceaccounts');
  const secrets = controllerRegistry.of('core/secrets');
  const tokens = new TokenSecrets(accounts, secrets, issuer, isShared ? othersMillis : 0);
  const health = new Health();
  const evaluators = new Evaluators(served, minor >= sinceCounts);
  const quotas = new QuotaLedger({
    pending: isShared ? new SharedCharges((resource) => evaluators.of(resource)) : new OwnCharges(),
    evaluators,
    quotas: ownRegistry.of('core/resourcequotas'),
    objectsOf: async (resource, namespace) =>
      (await registry.of(served.byId(resource)).list(namespace)).entries.map(({ value }) => value),
    health,
    counts: !lacks('quota-controller'),
  });
  const limitRanges = registry.of('core/limitranges');
  admission.add(admissionPlugins({ storage, accounts, limitRanges, tokens, quotas, evaluators, lacks, minor }));
  const dependencies = {
    ...{ ownRegistry, controllerRegistry, served, now, lacks, minor, storage, authorizationMode },
    rootCa: issuer.ca,
    signingKey: issuer.key,
  };
  const added = addons.map((addon) => addon.partsOf?.(dependencies) ?? {});
  for (const { admission: plugins = [] } of added) admission.add(plugins);
  const { authorizer } = added.find((parts) => parts.authorizer !== undefined) ?? {};
  return {
    storage,
    registry,
    ownRegistry,
    controllerRegistry,
    quotas,
    tokens,
    health,
    lacks,
    now,
    minor,
    clock,
    selfLinks,
    activity,
    watchCache: new WatchCache(storage, clock),
    boundTokens: new BoundTokens(issuer.key, now),
    served,
    clientAuthorities: added.flatMap(({ clientAuthority }) => clientAuthority ?? []),
    addedControllers: added.flatMap(({ controllers = [] }) => controllers),
    leadership,
    isShared,
    ...(authorizer && { authorizer }),
    async prepare() {
      for (const { start } of added) await start?.();
    },
    release() {
      for (const { stop } of added) stop?.();
    },
  };
}

/**
 * Starts a cluster with the initial namespaces and the objects of its storage, which is in memory by default. Throws
 * OptionError if the storage or the key cannot be used.
 */
export async function startCluster(
  options: Pick<
    CompleteOptions,
    'openStorage' | 'serviceAccountKeyFile' | 'rootCa' | 'lacks' | 'maxObjectSize' | 'kubeVersion' | 'authorizationMode'
  >,
  addons: readonly ClusterAddon[],
  report: Report,
): Promise<RunningCluster> {
  const {
    openStorage = inMemory,
    serviceAccountKeyFile: keyFile,
    rootCa = '',
    lacks,
    maxObjectSize,
    kubeVersion,
    authorizationMode,
  } = options;
  const { storage, leadership, isShared, signingKey } = await openStorage();
  try {
    const issuer = new TokenIssuer(await (keyFile === undefined ? signingKey() : readSigningKey(keyFile)), rootCa);
    const cluster = createCluster({
      ...{ storage, leadership, isShared, issuer, lacks, addons, kubeVersion, authorizationMode },
      ...(maxObjectSize !== undefined && { maxObjectSize }),
    });
    await cluster.prepare();
    const controllers = await startControllers(cluster, report);
    const stop = async () => {
      await controllers.stop();
      cluster.release();
      await storage.close();
    };
    return { ...cluster, stop };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
