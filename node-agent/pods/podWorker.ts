// One pod on its node, from its binding to its deletion.

import { once } from 'node:events';
import { longestDelay } from '../../matrix/api/longestDelay.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { firstOf } from '../../matrix/api/signals.js';
import { type ApiClient, isStatus } from '../api/apiClient.js';
import { retry } from '../api/backoff.js';
import type { EventRecorder } from '../api/eventRecorder.js';
import { formatSeconds } from '../api/time.js';
import type { Pod } from '../api/types.js';
import type { ContainerConfig } from '../containers/container.js';
import type { FileSystem } from '../kernel/fileSystem.js';
import type { AddressPool } from '../network/addresses.js';
import type { ClusterNetwork } from '../network/clusterNetwork.js';
import type { AgentRequest, Transport, VirtualNetwork } from '../network/virtualNetwork.js';
import { containerConfigOf } from './containerConfig.js';
import { ContainerWorker } from './containerWorker.js';
import type { PodIPs } from './environment.js';
import { everywhere, hostPortsOf } from './hostPorts.js';
import { gatesOf, podPath, podStatusOf, StatusManager } from './podStatus.js';
import { ReferencedObjects } from './referencedObjects.js';
import type { Refusal } from './refusals.js';
import { nodeResources } from './requests.js';
import { infeasible } from './resize.js';
import { isSidecar, Sidecars } from './sidecars.js';
import { PodVolumes } from './volumes.js';
import { type FollowedObjects, showsChange, VolumeUpdates } from './volumeUpdates.js';

/** The services that the pods of a node share. */
export interface NodeServices {
  readonly client: ApiClient;
  readonly events: EventRecorder;
  readonly network: VirtualNetwork;
  readonly cluster: ClusterNetwork;
  readonly followed: FollowedObjects;
  readonly addresses: AddressPool;
  readonly hostIP: string;
  /** The files of the node, which `hostPath` volumes show. */
  readonly hostFiles: FileSystem;
  /** The delay of the second restart of a container, in milliseconds. */
  readonly restartDelay: number;
  readonly onRequest: (request: AgentRequest) => void;
}

/** The protocols that are simulated. */
const transports: Readonly<Record<string, Transport>> = { TCP: 'tcp', UDP: 'udp' };

export class PodWorker {
  readonly containers: readonly ContainerWorker[];
  readonly initContainers: readonly ContainerWorker[];
  /** The containers that clients have added since the pod runs. */
  readonly #ephemeralContainers: ContainerWorker[] = [];
  pod: Pod;
  readonly #services: NodeServices;
  readonly #objects: ReferencedObjects;
  readonly #status: StatusManager;
  readonly #startTime: string;
  #podIP: string | undefined;
  /** Whether the address belongs to the node's pool; a pod on the host network has no such address. */
  #holdsAddress = false;
  /** Take the ports of the node back that lead to the pod. */
  #closePorts: readonly (() => void)[] = [];
  #volumes: PodVolumes | undefined;
  #updates: VolumeUpdates | undefined;
  #failure: Refusal | undefined;
  /** Ends the pod at its deadline. */
  #timer: NodeJS.Timeout | undefined;
  /** Whether the containers have been started, so that ephemeral ones may be. */
  #isStarted = false;
  /** Aborts when the containers must end. */
  readonly #ending = new AbortController();
  readonly #sidecars = new Sidecars(this.#ending.signal);
  /** When the grace period of the pod is over, once it ends. */
  #deadline = Number.POSITIVE_INFINITY;
  /** Aborts when all containers have ended. */
  readonly #ended = new AbortController();
  /** Aborts when the object has a deletionTimestamp. */
  readonly #deleted = new AbortController();
  /** Aborts when the object no longer exists or the agent stops. Nothing is written after that. */
  readonly #stopped = new AbortController();
  /** Why the pod does not get the resources that it asks for. */
  #resizing: ObjectOf<'PodCondition'> | undefined;

  /** A pod that the node refuses never runs. */
  constructor(
    pod: Pod,
    services: NodeServices,
    readonly refuse: () => Promise<Refusal | undefined> = async () => undefined,
  ) {
    this.pod = pod;
    this.#services = services;
    this.#objects = new ReferencedObjects(services.client, pod.metadata.namespace ?? '');
    this.#startTime = pod.status?.startTime ?? formatSeconds(new Date());
    this.#status = new StatusManager(pod, services.client, (before) => this.#statusOf(before), this.#stopped.signal);
    const { spec, status = {} } = pod;
    const { restartPolicy = 'Always' } = spec;
    this.containers = this.#workersFor('containers', restartPolicy, status.containerStatuses);
    // An init container must succeed once.
    const initPolicy = restartPolicy === 'Always' ? 'OnFailure' : restartPolicy;
    this.initContainers = this.#workersFor('initContainers', initPolicy, status.initContainerStatuses);
  }

  /** The address of the pod; undefined before its allocation. */
  get podIP(): string | undefined {
    return this.#podIP;
  }

  container(name: string): ContainerWorker | undefined {
    return this.#allContainers.find(({ spec }) => spec.name === name);
  }

  /** Runs the pod until its object no longer exists. */
  async run(): Promise<void> {
    try {
      const { phase } = this.pod.status ?? {};
      if (this.pod.metadata.deletionTimestamp !== undefined) this.#deleted.abort();
      else if (phase !== 'Succeeded' && phase !== 'Failed') await this.#runContainers();
      // A pod that has ended stays until its object is deleted.
      const over = firstOf(this.#deleted.signal, this.#stopped.signal);
      if (!over.aborted) await once(over, 'abort');
      await this.#delete();
    } finally {
      this.#releaseAddress();
    }
  }

  /** Receives a newer version of the object. A deletionTimestamp ends the pod. */
  update(pod: Pod): void {
    const gates = gatesOf(this.pod);
    const before = this.pod;
    this.pod = pod;
    this.#status.update(pod);
    if (gatesOf(pod) !== gates) void this.#status.write();
    if (showsChange(before, pod)) void this.#updates?.refresh();
    if (pod.metadata.deletionTimestamp === undefined) {
      this.#startEphemeral();
      for (const each of pod.spec.containers) this.container(each.name)?.setImage(each);
      this.#resize();
      if (pod.spec.activeDeadlineSeconds !== before.spec.activeDeadlineSeconds) this.#mindDeadline();
      return;
    }
    this.#deleted.abort();
    this.#stopContainers(pod.metadata.deletionGracePeriodSeconds);
  }

  /** Ends everything at once and writes nothing: the object no longer exists, or the agent stops. */
  stop(): void {
    this.#stopped.abort();
    this.#ending.abort();
    for (const container of this.#allContainers) container.kill();
  }

  /** In seconds. */
  get #gracePeriod(): number {
    return this.pod.spec.terminationGracePeriodSeconds ?? 30;
  }

  get #allContainers(): readonly ContainerWorker[] {
    return [...this.containers, ...this.initContainers, ...this.#ephemeralContainers];
  }

  /** Makes a worker for each container of a field, or for those that `isNew` selects. */
  #workersFor(
    field: 'containers' | 'initContainers' | 'ephemeralContainers',
    restartPolicy: string,
    statuses: readonly ObjectOf<'ContainerStatus'>[] = [],
    isNew: (spec: ObjectOf<'Container'>) => boolean = () => true,
  ): readonly ContainerWorker[] {
    const { events, restartDelay, network, hostIP } = this.#services;
    const { name, namespace, uid } = this.pod.metadata;
    return (this.pod.spec[field] ?? []).filter(isNew).map((spec) => {
      const fieldPath = `spec.${field}{${spec.name}}`;
      return new ContainerWorker(
        {
          spec,
          restartPolicy: isSidecar(spec) ? 'Always' : restartPolicy,
          waiting: this.pod.spec.initContainers?.length ? 'PodInitializing' : 'ContainerCreating',
          prepare: (current) => this.#prepare(current),
          onStatusChange: () => void this.#status.write(),
          onEvent: (type, reason, message) => events.record(this.pod, type, reason, message, fieldPath),
          restartDelay,
          gracePeriod: this.#gracePeriod,
          reach: () => ({ network, hostIP, podIP: this.#podIP ?? '' }),
          pod: `${name}_${namespace}(${uid})`,
        },
        statuses.find((status) => status.name === spec.name),
      );
    });
  }

  /** Starts the ephemeral containers that the pod has now. None is ever restarted. */
  #startEphemeral(): void {
    if (!this.#isStarted || this.#ending.signal.aborted) return;
    const known = new Set(this.#ephemeralContainers.map(({ spec }) => spec.name));
    const statuses = this.pod.status?.ephemeralContainerStatuses;
    const added = this.#workersFor('ephemeralContainers', 'Never', statuses, ({ name }) => !known.has(name));
    this.#ephemeralContainers.push(...added);
    for (const container of added) void container.run(this.#ending.signal);
  }

  /** Grants the resources that the pod asks for now, unless the node never has so much. */
  #resize(): void {
    const before = this.#resizing;
    this.#resizing = infeasible(this.pod, nodeResources);
    if (this.#resizing?.message !== before?.message) void this.#status.write();
    if (this.#resizing !== undefined) return;
    for (const spec of this.pod.spec.containers) this.container(spec.name)?.grant(spec);
  }

  async #runContainers(): Promise<void> {
    const refusal = await this.refuse();
    if (refusal !== undefined) {
      const { reason, message } = refusal;
      this.#services.events.record(this.pod, 'Warning', reason, message);
      this.#failure = { reason, message: `Pod was rejected: ${message}` };
      return await this.#status.write();
    }
    if (!this.#takeAddress()) {
      this.#failure = { reason: 'OutOfpods', message: 'the node has no address left for the pod' };
      return await this.#status.write();
    }
    this.#mindDeadline();
    try {
      void this.#status.write();
      for (const container of this.initContainers) {
        if (isSidecar(container.spec)) await this.#sidecars.start(container);
        else await container.run(this.#ending.signal);
        if (this.#ending.signal.aborted || (container.finalExitCode ?? 0) !== 0) return;
      }
      this.#isStarted = true;
      this.#startEphemeral();
      await Promise.all(this.containers.map((container) => container.run(this.#ending.signal)));
    } finally {
      clearTimeout(this.#timer);
      await this.#sidecars.end(() => this.#secondsLeft);
      this.#ended.abort();
      this.#releaseAddress();
      await this.#status.write();
    }
  }

  /** Allocates an address: that of the pod's status if it is free. Returns false if the node has none left. */
  #takeAddress(): boolean {
    const { addresses, hostIP } = this.#services;
    this.#podIP = this.pod.spec.hostNetwork ? hostIP : addresses.allocate(this.pod.status?.podIP);
    this.#holdsAddress = this.#podIP !== undefined && this.#podIP !== hostIP;
    if (this.#holdsAddress) this.#forwardPorts(this.#podIP ?? '');
    return this.#podIP !== undefined;
  }

  #forwardPorts(podIP: string): void {
    const { network, hostIP } = this.#services;
    this.#closePorts = hostPortsOf(this.pod).flatMap(({ address, port, protocol, containerPort }) => {
      const transport = transports[protocol];
      if (transport === undefined) return [];
      const to = { address: podIP, port: containerPort };
      return [network.forward({ node: hostIP, ...(address !== everywhere && { address }), port, transport, to })];
    });
  }

  #releaseAddress(): void {
    for (const close of this.#closePorts) close();
    if (this.#holdsAddress && this.#podIP !== undefined) this.#services.addresses.release(this.#podIP);
    this.#holdsAddress = false;
  }

  /** Ends the pod so many seconds after its start as its deadline says now. */
  #mindDeadline(): void {
    clearTimeout(this.#timer);
    const { activeDeadlineSeconds: seconds } = this.pod.spec;
    if (seconds === undefined || this.#ending.signal.aborted || this.#ended.signal.aborted) return;
    const left = Date.parse(this.#startTime) + seconds * 1000 - Date.now();
    if (left <= 0) this.#exceedDeadline();
    else this.#timer = setTimeout(() => this.#mindDeadline(), Math.min(left, longestDelay));
  }

  #exceedDeadline(): void {
    this.#failure = {
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than specified deadline',
    };
    this.#stopContainers();
  }

  /** Sends SIGTERM to the programs, and SIGKILL after the grace period, in seconds. */
  #stopContainers(gracePeriod = this.#gracePeriod): void {
    this.#ending.abort();
    this.#deadline = Math.min(this.#deadline, performance.now() + gracePeriod * 1000);
    for (const container of this.#allContainers) {
      // Sidecars end after the other containers.
      if (gracePeriod <= 0 || !isSidecar(container.spec)) container.terminate(gracePeriod);
    }
  }

  /** How long a sidecar has to end, in seconds: what is left of the grace period of the pod, or 2. */
  get #secondsLeft(): number {
    if (!Number.isFinite(this.#deadline)) return this.#gracePeriod;
    return Math.max((this.#deadline - performance.now()) / 1000, 2);
  }

  /** Deletes the object after its programs have ended. */
  async #delete(): Promise<void> {
    const { uid } = this.pod.metadata;
    const options = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      ...(uid !== undefined && { preconditions: { uid } }),
    };
    const attempt = async () => {
      try {
        await this.#services.client.delete(podPath(this.pod), options);
      } catch (error) {
        if (!isStatus(error, 404, 409)) throw error;
      }
    };
    await retry(attempt, this.#stopped.signal, () => {});
  }

  /** Fills the volumes, and keeps them up to date. Throws NotReady if a referenced object does not exist yet. */
  async #fillVolumes(ips: PodIPs): Promise<PodVolumes> {
    // Not the objects of the environment, which may be read later than those of the volumes.
    const objects = new ReferencedObjects(this.#services.client, this.pod.metadata.namespace ?? '');
    const volumes = await PodVolumes.fill(this.pod, ips, objects, this.#services.hostFiles);
    // Containers that start at once share the volumes of the first one.
    if (this.#volumes !== undefined) return this.#volumes;
    const over = firstOf(this.#ending.signal, this.#ended.signal);
    this.#updates = new VolumeUpdates(() => this.pod, volumes, this.#services.followed, over);
    return volumes;
  }

  /** Throws NotReady if a referenced object does not exist yet. */
  async #prepare(spec: ObjectOf<'Container'>): Promise<ContainerConfig> {
    const ips = { podIP: this.#podIP ?? '', hostIP: this.#services.hostIP };
    this.#volumes ??= await this.#fillVolumes(ips);
    return await containerConfigOf(spec, this.pod, ips, this.#volumes, this.#objects, this.#services);
  }

  #statusOf(before: ObjectOf<'PodStatus'> | undefined): ObjectOf<'PodStatus'> {
    const { initContainers, containers, podIP } = this;
    const { hostIP } = this.#services;
    const [startTime, ephemeralContainers, failure] = [this.#startTime, this.#ephemeralContainers, this.#failure];
    const resizing = this.#resizing;
    return podStatusOf(
      {
        readinessGates: this.pod.spec.readinessGates ?? [],
        podIP,
        hostIP,
        startTime,
        initContainers,
        containers,
        ephemeralContainers,
        failure,
        resizing,
      },
      before,
    );
  }
}
