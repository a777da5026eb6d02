// Wires the parts behind the handlers: storage, registry, admission, quotas, tokens, watch cache, controllers.
import { apiVersionOf } from '../matrix/api/index.js';
import { AdmissionChain } from './admission/chain.js';
import { admissionPlugins } from './admission/index.js';
import type { PodAccount } from './admission/serviceAccount.js';
import { MovableClock } from './clock.js';
import { Activity } from './controllers/activity.js';
import { Health } from './controllers/health.js';
import { type ControllerParts, type Report, startControllers } from './controllers/index.js';
import { type IsDisabled, nothingDisabled } from './features/features.js';
import { CustomResources } from './later/customresources/customResources.js';
import { definitionAdmission } from './later/customresources/definitionAdmission.js';
import { shapeOfKind } from './later/managedfields/fieldTable.js';
import { inMemory } from './openStorage.js';
import type { CompleteOptions } from './options.js';
import { Evaluators } from './quota/evaluators.js';
import { QuotaLedger } from './quota/ledger.js';
import { OwnCharges, SharedCharges } from './quota/pendingCharges.js';
import type { OwnedTypes } from './registry/fields.js';
import { Registry } from './registry/registry.js';
import { BoundTokens } from './serviceaccounts/boundTokens.js';
import { readSigningKey } from './serviceaccounts/signingKey.js';
import { TokenIssuer } from './serviceaccounts/tokenIssuer.js';
import { TokenSecrets } from './serviceaccounts/tokenSecrets.js';
import { alone, type Leadership } from './storage/leadership.js';
import type { Storage } from './storage/storage.js';
import { ServedResources } from './versions/servedResources.js';
import { WatchCache } from './watch/cache.js';

/** The parts of a cluster. Each part gets only those functions of other parts that it needs. */
export interface Cluster extends ControllerParts {
  readonly registry: Registry;
  readonly quotas: QuotaLedger;
  readonly watchCache: WatchCache;
  readonly boundTokens: BoundTokens;
  readonly clock: MovableClock;
  /** Absent if the server has none. */
  readonly customResources?: CustomResources;
}

export interface RunningCluster extends Cluster {
  stop(): Promise<void>;
}

/** How long another server may take to create the token of an account, in milliseconds. */
const othersMillis = 5_000;

interface ClusterParts {
  readonly storage: Storage;
  readonly leadership?: Leadership;
  readonly isShared?: boolean;
  readonly issuer: TokenIssuer;
  readonly lacks?: IsDisabled;
  readonly modern?: boolean;
}

/** Wires a cluster over a storage. Does not start its controllers. */
export function createCluster({
  storage,
  issuer,
  leadership = alone,
  isShared = false,
  lacks = nothingDisabled,
  modern = false,
}: ClusterParts): Cluster {
  const activity = new Activity();
  const clock = new MovableClock(() => activity.settled(storage));
  const { now } = clock;
  const served = new ServedResources();
  const admission = new AdmissionChain();
  const types: OwnedTypes = {
    shapeOf: (resource) =>
      customResources?.shapeOf(resource) ?? shapeOfKind(apiVersionOf(resource.groupVersion), resource.kind),
    madeIn: (stored, apiVersion) => customResources?.versionIn(stored, apiVersion),
  };
  const registry = new Registry({
    storage,
    admission,
    now,
    leavesContents: lacks('namespace-controller'),
    ...(modern && !lacks('managed-fields') && { types }),
  });
  const own = registry.as('kube-apiserver');
  const controllers = registry.as('kube-controller-manager');
  const accounts = controllers.of<PodAccount>('core/serviceaccounts');
  const tokens = new TokenSecrets(accounts, controllers.of('core/secrets'), issuer, isShared ? othersMillis : 0);
  const health = new Health();
  const customResources =
    modern && !lacks('custom-resources') ? new CustomResources({ registry: own, served, now }) : undefined;
  const evaluators = new Evaluators(served);
  const pending = isShared ? new SharedCharges((resource) => evaluators.of(resource)) : new OwnCharges();
  const quotas = new QuotaLedger({
    pending,
    evaluators,
    quotas: own.of('core/resourcequotas'),
    objectsOf: async (resource, namespace) =>
      (await registry.of(served.byId(resource)).list(namespace)).entries.map(({ value }) => value),
    health,
    counts: !lacks('quota-controller'),
  });
  const limitRanges = registry.of('core/limitranges');
  admission.add(admissionPlugins({ storage, accounts, limitRanges, tokens, quotas, evaluators, lacks }));
  if (customResources !== undefined) admission.add([definitionAdmission]);
  return {
    storage,
    registry,
    ownRegistry: own,
    controllerRegistry: controllers,
    quotas,
    tokens,
    health,
    lacks,
    now,
    clock,
    activity,
    modern,
    watchCache: new WatchCache(storage, clock),
    boundTokens: new BoundTokens(issuer.key, now),
    served,
    leadership,
    isShared,
    ...(customResources && { customResources }),
    more: customResources === undefined ? [] : [customResources.controller],
  };
}

type ClusterOptions = Pick<CompleteOptions, 'openStorage' | 'serviceAccountKeyFile' | 'rootCa' | 'lacks' | 'modern'>;

/**
 * Starts a cluster with the initial namespaces and the objects of its storage, which is in memory by default. Throws
 * OptionError if the storage or the key cannot be used.
 */
export async function startCluster(options: ClusterOptions, report: Report): Promise<RunningCluster> {
  const { openStorage = inMemory, serviceAccountKeyFile: keyFile, rootCa = '', lacks, modern } = options;
  const { storage, leadership, isShared, signingKey } = await openStorage();
  try {
    const issuer = new TokenIssuer(await (keyFile === undefined ? signingKey() : readSigningKey(keyFile)), rootCa);
    const cluster = createCluster({ storage, leadership, isShared, issuer, lacks, modern });
    await cluster.customResources?.start();
    const controllers = await startControllers(cluster, report);
    const stop = async () => {
      await controllers.stop();
      await storage.close();
    };
    return { ...cluster, stop };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
