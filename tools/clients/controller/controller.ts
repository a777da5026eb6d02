// A replica of the controller: it watches Websites and their Deployments, and reconciles while it leads.
import { AppsV1Api, CustomObjectsApi, type KubeConfig, type V1Deployment } from '@kubernetes/client-node';
import { Informer } from './informer.js';
import { LeaderElection } from './leaderElection.js';
import { Reconciler } from './reconciler.js';
import { kind, nameOf, type Website, Websites } from './website.js';

export interface ControllerOptions {
  /** The namespace of the Websites and of the Lease. */
  readonly namespace: string;
  readonly routes: string;
  readonly identity: string;
  /** After this time without renewal, another replica takes over, in seconds. */
  readonly leaseSeconds: number;
  /** Receives why an attempt failed; another one follows. */
  readonly onFailure: (error: unknown) => void;
}

/** The time until the next attempt at what failed, in milliseconds. */
const pause = 100;
export const leaseName = 'website-controller';

export class Controller {
  readonly websites: Informer<Website>;
  readonly deployments: Informer<V1Deployment>;
  readonly #election: LeaderElection;
  readonly #reconciler: Reconciler;
  /** The Websites that are to be reconciled: each is once in it, however often it changed. */
  readonly #queue = new Set<string>();
  readonly #onFailure: (error: unknown) => void;
  readonly #retries = new Set<NodeJS.Timeout>();
  #work: Promise<void> | undefined;
  #stopped = false;

  constructor(config: KubeConfig, options: ControllerOptions) {
    const { namespace, routes, identity, leaseSeconds, onFailure } = options;
    this.#onFailure = onFailure;
    const websites = new Websites(config.makeApiClient(CustomObjectsApi), namespace);
    const apps = config.makeApiClient(AppsV1Api);
    this.#reconciler = new Reconciler(config, websites, { namespace, routes, identity });
    this.websites = new Informer<Website>(
      config,
      websites.path,
      () => websites.list(),
      (website) => this.#enqueue(nameOf(website)),
    );
    this.deployments = new Informer<V1Deployment>(
      config,
      `/apis/apps/v1/namespaces/${namespace}/deployments`,
      () => apps.listNamespacedDeployment({ namespace }),
      ({ metadata }) => {
        const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
        if (owner?.kind === kind) this.#enqueue(owner.name);
      },
    );
    const election = { namespace, name: leaseName, identity, seconds: leaseSeconds };
    this.#election = new LeaderElection(config, election, () => {
      // Another replica may have left anything undone.
      for (const website of this.websites.list()) this.#enqueue(nameOf(website));
    });
  }

  get leads(): boolean {
    return this.#election.leads;
  }

  async start(): Promise<void> {
    await Promise.all([this.websites.start(), this.deployments.start()]);
    this.#election.start();
  }

  /** Stops in order, or like a crash, in which the Lease stays until it expires. */
  async stop({ crash = false } = {}): Promise<void> {
    this.#stopped = true;
    for (const retry of this.#retries) clearTimeout(retry);
    await Promise.all([this.websites.stop(), this.deployments.stop()]);
    await this.#work;
    await this.#election.stop({ release: !crash });
  }

  #enqueue(name: string): void {
    this.#queue.add(name);
    this.#work ??= this.#drain().finally(() => {
      this.#work = undefined;
    });
  }

  async #drain(): Promise<void> {
    for (const name of this.#queue) {
      this.#queue.delete(name);
      if (this.#stopped || !this.leads) continue;
      try {
        await this.#reconciler.reconcile(name);
      } catch (error) {
        this.#onFailure(error);
        // Whatever it was, the next attempt begins with what is there.
        this.#later(name);
      }
    }
  }

  #later(name: string): void {
    if (this.#stopped) return;
    const retry = setTimeout(() => {
      this.#retries.delete(retry);
      this.#enqueue(name);
    }, pause);
    this.#retries.add(retry);
  }
}
