// Makes the world of one Website as its spec says, or takes it apart when the Website is deleted.
import {
  AppsV1Api,
  CoreV1Api,
  EventsV1Api,
  type KubeConfig,
  PatchStrategy,
  setHeaderOptions,
  type V1Deployment,
  V1MicroTime,
} from '@kubernetes/client-node';
import { deploymentOf, routeNameOf, routeOf, serviceOf } from './children.js';
import { statusOf } from './conditions.js';
import { orConflict, orMissing, update } from './requests.js';
import { apiVersion, finalizer, kind, nameOf, type Website, type Websites } from './website.js';

const fieldManager = 'website-controller';
const apply = setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply);

export interface Place {
  readonly namespace: string;
  /** The namespace of the routes of all Websites. */
  readonly routes: string;
  readonly identity: string;
}

export class Reconciler {
  readonly #apps: AppsV1Api;
  readonly #core: CoreV1Api;
  readonly #events: EventsV1Api;
  readonly #websites: Websites;
  readonly #place: Place;

  constructor(config: KubeConfig, websites: Websites, place: Place) {
    this.#apps = config.makeApiClient(AppsV1Api);
    this.#core = config.makeApiClient(CoreV1Api);
    this.#events = config.makeApiClient(EventsV1Api);
    this.#websites = websites;
    this.#place = place;
  }

  /** Reads the Website itself, since a cache may be behind. */
  async reconcile(name: string): Promise<void> {
    const website = await orMissing(this.#websites.get(name));
    if (website === undefined) return;
    if (website.metadata?.deletionTimestamp !== undefined) return this.#release(website);
    await this.#hold(website);
    await this.#report(website, await this.#make(website));
  }

  /** Adds the finalizer before anything is made that it is there for. */
  async #hold(website: Website): Promise<void> {
    const add = (there: Website): Website | undefined => {
      const finalizers = there.metadata?.finalizers ?? [];
      if (finalizers.includes(finalizer) || there.metadata?.deletionTimestamp !== undefined) return undefined;
      return { ...there, metadata: { ...there.metadata, finalizers: [...finalizers, finalizer] } };
    };
    await update(
      () => this.#websites.get(nameOf(website)),
      add,
      (changed) => this.#websites.replace(changed),
    );
  }

  /** Cleans up what no garbage collector does, and lets the Website go. */
  async #release(website: Website): Promise<void> {
    const { namespace, routes } = this.#place;
    const name = nameOf(website);
    if (!website.metadata?.finalizers?.includes(finalizer)) return;
    await orMissing(this.#core.deleteNamespacedConfigMap({ namespace: routes, name: routeNameOf(namespace, name) }));
    const remove = (there: Website): Website | undefined => {
      const finalizers = there.metadata?.finalizers?.filter((other) => other !== finalizer) ?? [];
      return { ...there, metadata: { ...there.metadata, finalizers } };
    };
    await update(
      () => this.#websites.get(name),
      remove,
      (changed) => this.#websites.replace(changed),
    );
  }

  async #make(website: Website): Promise<V1Deployment> {
    const { namespace, routes } = this.#place;
    const name = nameOf(website);
    const route = routeOf(website);
    const create = this.#core.createNamespacedConfigMap({ namespace: routes, body: route });
    if ((await orConflict(create)) === undefined) {
      const read = () => this.#core.readNamespacedConfigMap({ namespace: routes, name: nameOf(route) });
      await update(
        read,
        (there) =>
          JSON.stringify(there.data) === JSON.stringify(route.data) ? undefined : { ...there, data: route.data ?? {} },
        (body) => this.#core.replaceNamespacedConfigMap({ namespace: routes, name: nameOf(route), body }),
      );
    }
    const options = { namespace, name, fieldManager, force: true };
    const isNew = (await orMissing(this.#apps.readNamespacedDeployment({ namespace, name }))) === undefined;
    const deployment = await this.#apps.patchNamespacedDeployment({ ...options, body: deploymentOf(website) }, apply);
    await this.#core.patchNamespacedService({ ...options, body: serviceOf(website) }, apply);
    if (isNew) await this.#tell(website, 'Created', `Created deployment ${name}`);
    return deployment;
  }

  async #report(website: Website, deployment: V1Deployment): Promise<void> {
    let turnedReady = false;
    const change = (there: Website): Website | undefined => {
      // The generation is that of the spec that was carried out, even if the spec has changed since.
      const status = statusOf(website, there.status, deployment);
      turnedReady = isReady(status) && !isReady(there.status);
      return isSame(there.status, status) ? undefined : { ...there, status };
    };
    const read = () => this.#websites.get(nameOf(website));
    const written = await update(read, change, (changed) => this.#websites.replaceStatus(changed));
    if (written !== undefined && turnedReady) await this.#tell(website, 'Available', 'All replicas are available');
  }

  async #tell(website: Website, reason: string, note: string): Promise<void> {
    const { namespace, identity } = this.#place;
    const name = nameOf(website);
    const uid = website.metadata?.uid ?? '';
    const body = {
      metadata: { generateName: `${name}-` },
      eventTime: new V1MicroTime(),
      reportingController: `example.com/${fieldManager}`,
      reportingInstance: identity,
      action: 'Reconcile',
      type: 'Normal',
      regarding: { apiVersion, kind, name, namespace, uid },
      reason,
      note,
    };
    await this.#events.createNamespacedEvent({ namespace, body });
  }
}

const isReady = (status: Website['status']): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** Times are dates here, and text in what the client reads of a custom resource. */
const isSame = (one: Website['status'], other: Website['status']): boolean => flat(one) === flat(other);
const flat = (status: Website['status']): string =>
  JSON.stringify([
    status?.availableReplicas,
    status?.conditions?.map(({ type, status, reason, message, observedGeneration }) => [
      ...[type, status, reason, message],
      observedGeneration,
    ]),
  ]);
