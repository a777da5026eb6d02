// A controller: it copies each ConfigMap of the namespace `default` into the namespace that its annotation names.
import { ApiException, CoreV1Api, type KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';

const annotation = 'example.com/copy-to';
/** The time until the next attempt, in milliseconds. */
const pause = 20;

export class Copier {
  readonly #core: CoreV1Api;
  readonly #informer;
  readonly #retries = new Set<NodeJS.Timeout>();
  #stopped = false;

  constructor(kubeConfig: KubeConfig) {
    this.#core = kubeConfig.makeApiClient(CoreV1Api);
    this.#informer = makeInformer<V1ConfigMap>(kubeConfig, '/api/v1/namespaces/default/configmaps', () =>
      this.#core.listNamespacedConfigMap({ namespace: 'default' }),
    );
    this.#informer.on('add', (source) => this.#reconcile(source));
    this.#informer.on('update', (source) => this.#reconcile(source));
    // The informer ends with an error, such as a lost connection. It lists and watches again.
    this.#informer.on('error', () => this.#later(() => this.#informer.start()));
  }

  start(): Promise<void> {
    return this.#informer.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const retry of this.#retries) clearTimeout(retry);
    await this.#informer.stop();
  }

  async #reconcile(source: V1ConfigMap): Promise<void> {
    const namespace = source.metadata?.annotations?.[annotation];
    if (namespace === undefined) return;
    try {
      await this.#copy(source, namespace);
    } catch {
      // Whatever it was, the next attempt begins with what is there: a write may have succeeded without its response.
      this.#later(() => this.#reconcile(source));
    }
  }

  async #copy({ metadata, data }: V1ConfigMap, namespace: string): Promise<void> {
    const name = metadata?.name ?? '';
    const there = await this.#core.readNamespacedConfigMap({ name, namespace }).catch(unlessMissing);
    if (there === undefined) {
      await this.#core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data } });
    } else if (JSON.stringify(there.data) !== JSON.stringify(data)) {
      // With the resourceVersion that was read: a conflict means that it has changed since.
      await this.#core.replaceNamespacedConfigMap({ name, namespace, body: { ...there, data } });
    }
  }

  #later(act: () => Promise<void>): void {
    if (this.#stopped) return;
    const retry = setTimeout(() => {
      this.#retries.delete(retry);
      void act();
    }, pause);
    this.#retries.add(retry);
  }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ApiException && error.code === 404)) throw error;
}
