// Leader election: of all replicas, the one that holds the Lease works, and another one takes over when it is gone.
import { CoordinationV1Api, type KubeConfig, type V1Lease, V1MicroTime } from '@kubernetes/client-node';
import { orConflict, orMissing } from './requests.js';

export interface Election {
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  /** A holder that has not renewed the Lease for so long is gone, in seconds. */
  readonly seconds: number;
}

/** The time between two looks at the Lease, in milliseconds. */
const every = 750;

export class LeaderElection {
  readonly #api: CoordinationV1Api;
  readonly #election: Election;
  readonly #began: () => void;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #stopped = false;
  /** The last state of the Lease that was seen, and since when: the clocks of two replicas may differ. */
  #seen = { version: '', since: 0 };
  /** When this replica last renewed the Lease, by a clock that nobody sets; undefined if another one holds it. */
  #renewed: number | undefined;

  /** `began` is called when this replica begins to lead. */
  constructor(config: KubeConfig, election: Election, began: () => void) {
    this.#api = config.makeApiClient(CoordinationV1Api);
    this.#election = election;
    this.#began = began;
  }

  /** Whether the last renewal is so recent that no other replica can hold the Lease. */
  get leads(): boolean {
    const most = (this.#election.seconds * 1000 * 3) / 4;
    return this.#renewed !== undefined && performance.now() - this.#renewed < most;
  }

  start(): void {
    this.#round = this.#try();
  }

  /** Ends this replica. Unless it is to be like a crash, the Lease is released, so that another need not wait. */
  async stop({ release }: { readonly release: boolean }): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
    const held = this.#renewed !== undefined;
    this.#renewed = undefined;
    if (!held || !release) return;
    const lease = await this.#api.readNamespacedLease(this.#election);
    if (lease.spec?.holderIdentity !== this.#election.identity) return;
    await orConflict(this.#write({ ...lease, spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 } }));
  }

  async #try(): Promise<void> {
    const began = performance.now();
    // Without an answer, the last renewal counts until it is too old.
    const held = await this.#acquire().catch(() => undefined);
    const led = this.leads;
    if (held !== undefined) this.#renewed = held ? began : undefined;
    if (this.leads && !led) this.#began();
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#try();
    }, every);
  }

  /** Acquires or renews the Lease. False if another replica holds it. */
  async #acquire(): Promise<boolean> {
    const { namespace, name, identity, seconds } = this.#election;
    const now = new V1MicroTime();
    const mine = { holderIdentity: identity, leaseDurationSeconds: Math.ceil(seconds), renewTime: now };
    const lease = await orMissing(this.#api.readNamespacedLease({ namespace, name }));
    if (lease === undefined) {
      const body = { metadata: { name }, spec: { ...mine, acquireTime: now, leaseTransitions: 0 } };
      return (await orConflict(this.#api.createNamespacedLease({ namespace, body }))) !== undefined;
    }
    const { spec = {}, metadata } = lease;
    if (spec.holderIdentity === identity) {
      return (await orConflict(this.#write({ ...lease, spec: { ...spec, ...mine } }))) !== undefined;
    }
    const version = metadata?.resourceVersion ?? '';
    if (version !== this.#seen.version) this.#seen = { version, since: performance.now() };
    const expires = this.#seen.since + (spec.leaseDurationSeconds ?? 0) * 1000;
    if (spec.holderIdentity && performance.now() < expires) return false;
    const taken = { ...mine, acquireTime: now, leaseTransitions: (spec.leaseTransitions ?? 0) + 1 };
    return (await orConflict(this.#write({ ...lease, spec: taken }))) !== undefined;
  }

  #write(body: V1Lease): Promise<V1Lease> {
    const { namespace, name } = this.#election;
    return this.#api.replaceNamespacedLease({ namespace, name, body });
  }
}
