// The controllers of the server, and the objects that exist from the start.
import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.js';
import type { IsDisabled } from '../features/features.js';
import type { QuotaLedger } from '../quota/ledger.js';
import type { Registry } from '../registry/registry.js';
import type { Store } from '../registry/store.js';
import type { ServiceAccount } from '../registry/strategies/serviceAccounts.js';
import type { TokenSecrets } from '../serviceaccounts/tokenSecrets.js';
import { StatusError } from '../statusError.js';
import type { Leadership, Storage } from '../storage/storage.js';
import type { ServedResources } from '../versions/servedResources.js';

export type { Report } from './controller.js';

import type { Activity } from './activity.js';
import { type Controller, type Report, run } from './controller.js';
import { deploymentRevisions } from './deploymentRevisions.js';
import { noteBy } from './events.js';
import { garbageCollector } from './garbageCollector.js';
import type { Health } from './health.js';
import { namespaceLifecycle } from './namespaceLifecycle.js';
import { Counting, countedResourceQuotas, resourceQuotaControllers } from './resourceQuotas.js';
import { defaultAccounts, serviceAccountController } from './serviceAccounts.js';
import { repairAllClaims, serviceClaims } from './serviceClaims.js';
import { tokenSecrets } from './tokenSecrets.js';

export interface ControllerParts {
  /** The stores through which controllers write, and those for the objects of the server itself. */
  readonly controllerRegistry: Pick<Registry, 'of'>;
  readonly ownRegistry: Pick<Registry, 'of'>;
  readonly storage: Storage;
  readonly quotas: Pick<QuotaLedger, 'refresh' | 'stop'>;
  readonly tokens: TokenSecrets;
  readonly health: Health;
  readonly lacks: IsDisabled;
  readonly now: () => Date;
  /** The minor version of Kubernetes that the server reports. */
  readonly minor: number;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly served: ServedResources;
  /** The controllers of parts above this layer. */
  readonly addedControllers: readonly Controller[];
  /** The choice of the server whose controllers run. */
  readonly leadership: Leadership;
  /** Whether other servers use the same storage. */
  readonly isShared: boolean;
}

/** The controllers of single resources, with their dependencies. */
function controllersOf(
  { controllerRegistry: registry, ...parts }: ControllerParts,
  counting: Counting,
): readonly Controller[] {
  const { quotas, tokens, lacks, now, minor, served, addedControllers } = parts;
  const accounts = registry.of<ServiceAccount>('core/serviceaccounts');
  const secrets = registry.of('core/secrets');
  const deployments = registry.of('extensions/deployments');
  const replicaSets = registry.of('extensions/replicasets');
  const events = registry.of('core/events');
  const apiVersion = served.ofKind('apps/v1', 'Deployment') === undefined ? 'extensions/v1beta1' : 'apps/v1';
  return [
    namespaceLifecycle({ storeOf: (resource) => registry.of(resource), served, now, minor }),
    defaultAccounts(accounts),
    deploymentRevisions({
      deployments,
      replicaSets,
      apiVersion,
      note: noteBy('deployment-controller', { events, now }),
    }),
    serviceAccountController({ accounts, secrets, tokens, lacks }),
    tokenSecrets({ accounts, secrets, tokens }),
    ...resourceQuotaControllers(quotas, counting),
    ...addedControllers,
  ];
}

/** Since this version, the garbage collector says which owners are in a wrong namespace. */
const sinceOwnerEvents = 20;

const firstNamespaces = ['default', 'kube-system', 'kube-public'];

export interface RunningControllers {
  /** Stops all controllers. Resolves when they have ended. */
  stop(): Promise<void>;
}

/** Creates the initial objects of a new server and starts the controllers. Of several servers, those of one run. */
export async function startControllers(parts: ControllerParts, report: Report): Promise<RunningControllers> {
  const {
    controllerRegistry: registry,
    ownRegistry,
    storage,
    quotas,
    health,
    lacks,
    clock,
    activity,
    served,
    now,
    minor,
  } = parts;
  const claims = { storage, services: registry.of('core/services') };
  // The claims of another server may be those of services that it is about to store.
  if (!parts.isShared) await repairAllClaims(claims);
  for (const name of firstNamespaces) await createNamespace(ownRegistry.of('core/namespaces'), name);
  const controller = new AbortController();
  const runningUntil = (signal: AbortSignal) => {
    // Every controller listens to the signal for as long as it runs.
    setMaxListeners(0, signal);
    return { registry, storage, health, signal, clock, activity, report };
  };
  const note = noteBy('garbage-collector-controller', { events: registry.of('core/events'), now });
  const has = ({ feature }: Controller): boolean => feature === undefined || !lacks(feature);
  const lead = async (signal: AbortSignal): Promise<void> => {
    const running = runningUntil(signal);
    const counting = new Counting();
    await Promise.all([
      ...controllersOf(parts, counting)
        .filter((each) => has(each) && each.runsEverywhere !== true)
        .map((each) => run(each, running)),
      ...(lacks('garbage-collection')
        ? []
        : [garbageCollector({ ...running, served, ...(minor >= sinceOwnerEvents && { note }) })]),
      ...(lacks('quota-controller') ? [] : [countedResourceQuotas(quotas, { ...running, served, counting })]),
      serviceClaims(claims, running),
    ]);
    health.clear();
  };
  const running = runningUntil(controller.signal);
  const ended = [
    parts.leadership.whileLeading(lead, controller.signal),
    ...parts.addedControllers
      .filter((each) => has(each) && each.runsEverywhere === true)
      .map((each) => run(each, running)),
  ];
  return {
    async stop() {
      controller.abort();
      await Promise.all([...ended, quotas.stop()]);
    },
  };
}

async function createNamespace(namespaces: Pick<Store, 'create'>, name: string): Promise<void> {
  await namespaces
    .create(undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    .catch((error: unknown) => {
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error;
    });
}
