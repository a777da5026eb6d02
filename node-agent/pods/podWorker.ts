// One pod on its node, from its binding to its deletion.
import { type ApiClient, isStatus } from '../api/apiClient.js';
import { Backoff } from '../api/backoff.js';
import type { InstanceSettings } from '../containers/instance.js';
import { formatSeconds } from '../containers/time.js';
import type { AddressPool } from '../network/addresses.js';
import type { VirtualNetwork } from '../network/virtualNetwork.js';
import { type AgentRequest, requestTo } from '../request.js';
import { untilAborted } from '../untilAborted.js';
import { ContainerKeeper } from './containerKeeper.js';
import type { Placement } from './fields.js';
import { Objects } from './objects.js';
import { statusOf } from './podStatus.js';
import { prepareInstance, type Surroundings } from './preparation.js';
import { podPath, StatusWriter } from './statusWriter.js';
import type { ContainerSpec, Pod, PodStatus } from './types.js';
import { fillVolumes, type Volumes } from './volumes.js';

/** What the pods of a node share. */
export interface NodeParts {
  readonly client: ApiClient;
  readonly network: VirtualNetwork;
  readonly addresses: AddressPool;
  readonly address: string;
  /** Milliseconds before a container's second restart. */
  readonly restartDelay: number;
  /** Hears of what reaches programs. */
  readonly onRequest: (request: AgentRequest) => void;
}

export class PodWorker {
  readonly containers: readonly ContainerKeeper[];
  readonly initContainers: readonly ContainerKeeper[];
  pod: Pod;
  readonly #parts: NodeParts;
  readonly #objects: Objects;
  readonly #status: StatusWriter;
  readonly #startTime: string;
  #place: Placement | undefined;
  #holdsAddress = false;
  #volumes: Volumes | undefined;
  #failure: { readonly reason: string; readonly message: string } | undefined;
  /** Its containers have to end. */
  readonly #ending = new AbortController();
  /** Its object is to be deleted. */
  readonly #deleted = new AbortController();
  /** The pod's object is gone, or the agent stops: nothing is written any more. */
  readonly #gone = new AbortController();
  #killTimer: NodeJS.Timeout | undefined;

  constructor(pod: Pod, parts: NodeParts) {
    this.pod = pod;
    this.#parts = parts;
    this.#objects = new Objects(parts.client, pod.metadata.namespace ?? '');
    this.#startTime = pod.status?.startTime ?? formatSeconds(new Date());
    this.#status = new StatusWriter(pod, parts.client, (before) => this.#currentStatus(before), this.#gone.signal);
    const { spec, status = {} } = pod;
    const keeper = (init: boolean) => (container: ContainerSpec) => {
      const list = init ? status.initContainerStatuses : status.containerStatuses;
      const { restartPolicy = 'Always' } = spec;
      const settings = {
        spec: container,
        // an init container has to succeed once
        restartPolicy: init && restartPolicy === 'Always' ? ('OnFailure' as const) : restartPolicy,
        prepare: (wanted: ContainerSpec) => this.#prepare(wanted),
        changed: () => void this.#status.write(),
        restartDelay: parts.restartDelay,
      };
      return new ContainerKeeper(
        settings,
        list?.find(({ name }) => name === container.name),
      );
    };
    this.initContainers = (spec.initContainers ?? []).map(keeper(true));
    this.containers = spec.containers.map(keeper(false));
  }

  /** The address of the pod; undefined before it has one. */
  get address(): string | undefined {
    return this.#place?.podIP;
  }

  /** A container by its name. */
  container(name: string): ContainerKeeper | undefined {
    return [...this.containers, ...this.initContainers].find(({ spec }) => spec.name === name);
  }

  /** Runs the pod until its object is gone. Never rejects. */
  async run(): Promise<void> {
    try {
      const { phase } = this.pod.status ?? {};
      if (this.pod.metadata.deletionTimestamp !== undefined) this.#deleted.abort();
      else if (phase !== 'Succeeded' && phase !== 'Failed') await this.#live();
      // a pod that has ended stays until its object is to go
      await untilAborted(AbortSignal.any([this.#deleted.signal, this.#gone.signal]));
      await this.#delete();
    } finally {
      clearTimeout(this.#killTimer);
      this.#release();
    }
  }

  /** A newer object: its deletion ends the pod. */
  observe(pod: Pod): void {
    this.pod = pod;
    this.#status.observe(pod);
    if (pod.metadata.deletionTimestamp === undefined) return;
    this.#deleted.abort();
    this.#stopContainers(pod.metadata.deletionGracePeriodSeconds);
  }

  /** The object is gone, or the agent stops: everything ends at once, and nothing is written. */
  abandon(): void {
    this.#gone.abort();
    this.#ending.abort();
    this.#kill();
  }

  async #live(): Promise<void> {
    const place = this.#settle();
    if (place === undefined) {
      this.#failure = { reason: 'OutOfpods', message: 'the node has no address left for the pod' };
      return await this.#status.write();
    }
    const { activeDeadlineSeconds } = this.pod.spec;
    const deadline =
      activeDeadlineSeconds === undefined ? undefined : setTimeout(() => this.#expire(), activeDeadlineSeconds * 1000);
    try {
      void this.#status.write();
      for (const container of this.initContainers) {
        await container.keep(this.#ending.signal);
        if (container.finalCode !== 0) return;
      }
      await Promise.all(this.containers.map((container) => container.keep(this.#ending.signal)));
    } finally {
      clearTimeout(deadline);
      this.#release();
      await this.#status.write();
    }
  }

  /** Gives the pod its address; the one that it had, where it is free. */
  #settle(): Placement | undefined {
    const { addresses, address: hostIP } = this.#parts;
    const podIP = this.pod.spec.hostNetwork ? hostIP : addresses.take(this.pod.status?.podIP);
    if (podIP !== undefined) this.#place = { podIP, hostIP };
    this.#holdsAddress = podIP !== undefined && podIP !== hostIP;
    return this.#place;
  }

  #release(): void {
    if (this.#holdsAddress) this.#parts.addresses.give(this.#place?.podIP ?? '');
    this.#holdsAddress = false;
  }

  #expire(): void {
    this.#failure = {
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than specified deadline',
    };
    this.#stopContainers();
  }

  /** Asks the programs to end, and ends them after the grace period. */
  #stopContainers(grace = this.pod.spec.terminationGracePeriodSeconds ?? 30): void {
    this.#ending.abort();
    clearTimeout(this.#killTimer);
    for (const container of this.#all()) container.terminate();
    if (grace <= 0) this.#kill();
    else this.#killTimer = setTimeout(() => this.#kill(), grace * 1000);
  }

  #kill(): void {
    for (const container of this.#all()) container.kill();
  }

  #all(): readonly ContainerKeeper[] {
    return [...this.initContainers, ...this.containers];
  }

  /** The node's part of a deletion is done: the object may go. */
  async #delete(): Promise<void> {
    const backoff = new Backoff();
    const { uid } = this.pod.metadata;
    const options = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    };
    while (!this.#gone.signal.aborted) {
      try {
        await this.#parts.client.delete(podPath(this.pod), options);
        return;
      } catch (error) {
        if (isStatus(error, 404, 409)) return;
        await backoff.wait(this.#gone.signal);
      }
    }
  }

  async #prepare(spec: ContainerSpec): Promise<InstanceSettings> {
    const place = this.#place ?? { podIP: '', hostIP: '' };
    this.#volumes ??= await fillVolumes(this.pod, place, this.#objects);
    const { network, onRequest } = this.#parts;
    const { namespace = '', name } = this.pod.metadata;
    const surroundings: Surroundings = {
      listen: (port, signal, accept) => network.listen(place.podIP, port, signal, accept),
      hear: (request, end) => onRequest(requestTo(`pod ${namespace}/${name}`, request, end)),
    };
    return prepareInstance(spec, this.pod, place, this.#volumes, this.#objects, surroundings);
  }

  #currentStatus(before: PodStatus | undefined): PodStatus {
    const { initContainers, containers } = this;
    const facts = { place: this.#place, hostIP: this.#parts.address, startTime: this.#startTime };
    return statusOf({ ...facts, initContainers, containers, failure: this.#failure }, before);
  }
}
