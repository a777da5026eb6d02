// What the tests of the controller work with: a server with the definition, a namespace for each test, and replicas.
import { randomBytes } from 'node:crypto';
import { ApiextensionsV1Api, AppsV1Api, CoreV1Api, CustomObjectsApi, type KubeConfig } from '@kubernetes/client-node';
import { expect, inject, vi } from 'vitest';
import { routeNameOf } from './children.js';
import { Controller } from './controller.js';
import { type Relay, startRelay } from './relay.js';
import { orMissing, update } from './requests.js';
import { configOf, type ServerKind, type TestedServer } from './servers.js';
import { advance } from './standIn.js';
import { definition, type Website, Websites } from './website.js';

/** Longer than a busy machine stands still, so that no leader is deposed by chance: a test ends the Lease of a crashed one. */
const leaseSeconds = 60;
const routes = 'routes';

/** How polls that send requests wait: the client opens a connection for each request, which costs more than the answer. */
export const seldom = { interval: 250 };

/** Waits outside of a test, where there is no `expect.poll`. */
const eventually = (see: () => Promise<unknown>) => vi.waitFor(see, { timeout: inject('deadline') / 2, ...seldom });

/** The condition that says whether a Website is ready. */
export const readyOf = ({ status }: Website) => status?.conditions?.find(({ type }) => type === 'Ready');

/** Starts a server of a kind that serves Websites, and prints when it is ready. */
export async function startSetup(kind: ServerKind): Promise<Setup> {
  const started = performance.now();
  const server = await kind.start();
  console.log(`${kind.name}: ready after ${Math.round(performance.now() - started)} ms`);
  const setup = new Setup(kind, server, await startRelay(server.port), started);
  try {
    await setup.define();
    return setup;
  } catch (error) {
    await setup.close();
    throw error;
  }
}

export class Setup {
  /** What the replicas could not do in this test. */
  failures: unknown[] = [];
  /** Each test has a namespace and replicas of its own. */
  namespace = '';
  #config: KubeConfig;
  #replicas: Controller[] = [];
  #server: TestedServer;

  /** `relay` is the way of the replicas to the server, which a test can cut. `started` is in milliseconds. */
  constructor(
    readonly kind: ServerKind,
    server: TestedServer,
    readonly relay: Relay,
    readonly started: number,
  ) {
    this.#server = server;
    this.#config = configOf(server.port, server);
  }

  /** The way of the test to the server, around the relay. */
  get config(): KubeConfig {
    return this.#config;
  }

  get port(): number {
    return this.#server.port;
  }

  get core(): CoreV1Api {
    return this.#config.makeApiClient(CoreV1Api);
  }

  get apps(): AppsV1Api {
    return this.#config.makeApiClient(AppsV1Api);
  }

  get websites(): Websites {
    return new Websites(this.#config.makeApiClient(CustomObjectsApi), this.namespace);
  }

  /** Makes the definition of Websites, and what all tests share. */
  async define(): Promise<void> {
    const extensions = this.#config.makeApiClient(ApiextensionsV1Api);
    const { metadata } = await extensions.createCustomResourceDefinition({ body: definition });
    const established = { type: 'Established', status: 'True' };
    await eventually(async () => {
      const { status } = await extensions.readCustomResourceDefinition({ name: metadata?.name ?? '' });
      expect(status?.conditions).toContainEqual(expect.objectContaining(established));
    });
    await this.core.createNamespace({ body: { metadata: { name: routes } } });
  }

  /** Makes the namespace of the next test. */
  async begin(): Promise<void> {
    this.failures = [];
    this.namespace = `sites-${randomBytes(4).toString('hex')}`;
    await this.core.createNamespace({ body: { metadata: { name: this.namespace } } });
    // An established definition is served a moment later.
    await eventually(() => this.websites.list());
  }

  /** Stops the replicas of a test. */
  async end(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.stop()));
    this.#replicas = [];
  }

  /** Makes the server forget its history, while the replicas cannot reach it. */
  async expire(): Promise<void> {
    const port = await this.#server.expire();
    this.#server = { ...this.#server, port };
    this.#config = configOf(port, this.#server);
  }

  async close(): Promise<void> {
    await this.relay.close();
    await this.#server.close();
    console.log(`${this.kind.name}: stopped ${Math.round(performance.now() - this.started)} ms after the start`);
  }

  /** Starts a replica of the controller. */
  async replica(identity: string): Promise<Controller> {
    const controller = new Controller(configOf(this.relay.port, this.#server), {
      namespace: this.namespace,
      routes,
      identity,
      leaseSeconds,
      onFailure: (error) => this.failures.push(error),
    });
    this.#replicas.push(controller);
    await controller.start();
    return controller;
  }

  /** Starts a replica, and resolves when it leads. */
  async leader(identity = 'one'): Promise<Controller> {
    const controller = await this.replica(identity);
    await expect.poll(() => controller.leads).toBe(true);
    return controller;
  }

  /** Resolves with the Website when it is ready in its present generation. */
  async ready(name: string): Promise<Website> {
    await expect
      .poll(async () => {
        await advance(this.#config, this.kind.expects, this.namespace, name);
        const website = await this.websites.get(name);
        const { status, observedGeneration } = readyOf(website) ?? {};
        return status === 'True' && observedGeneration === website.metadata?.generation;
      }, seldom)
      .toBe(true);
    return this.websites.get(name);
  }

  /** Changes a Website as a user does. */
  edit(name: string, spec: Partial<Website['spec']>): Promise<Website | undefined> {
    const { websites } = this;
    return update(
      () => websites.get(name),
      (there) => ({ ...there, spec: { ...there.spec, ...spec } }),
      (changed) => websites.replace(changed),
    );
  }

  deployment(name: string) {
    return orMissing(this.apps.readNamespacedDeployment({ namespace: this.namespace, name }));
  }

  service(name: string) {
    return orMissing(this.core.readNamespacedService({ namespace: this.namespace, name }));
  }

  route(name: string) {
    const route = routeNameOf(this.namespace, name);
    return orMissing(this.core.readNamespacedConfigMap({ namespace: routes, name: route }));
  }

  async imageOf(name: string): Promise<string | undefined> {
    return (await this.deployment(name))?.spec?.template.spec?.containers[0]?.image;
  }
}
