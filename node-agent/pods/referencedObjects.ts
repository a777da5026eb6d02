// Reads the objects that pods reference: ConfigMaps, Secrets, tokens of service accounts.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { type ApiClient, isStatus } from '../api/apiClient.js';
import type { ApiObject } from '../api/types.js';

/** A referenced object of a container does not exist yet. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

type Entries = ReadonlyMap<string, Buffer>;

export class ReferencedObjects {
  /** The versions of the objects that were read last, by their paths; undefined for an absent one. */
  readonly #versions = new Map<string, string | undefined>();

  constructor(
    readonly client: ApiClient,
    readonly namespace: string,
  ) {}

  /** Returns undefined if the ConfigMap is optional and absent. Throws NotReady if it is absent. */
  async configMap(name: string, optional = false): Promise<Entries | undefined> {
    const found = await this.#find<ObjectOf<'ConfigMap'>>('configmap', name, optional);
    return found && new Map([...decode(found.data, 'utf8'), ...decode(found.binaryData, 'base64')]);
  }

  /** Returns undefined if the Secret is optional and absent. Throws NotReady if it is absent. */
  async secret(name: string, optional = false): Promise<Entries | undefined> {
    const found = await this.#find<ObjectOf<'Secret'>>('secret', name, optional);
    return found && new Map(decode(found.data, 'base64'));
  }

  /** Requests a token that is bound to the pod. Throws NotReady. */
  async token(
    account: string,
    { audience, expirationSeconds = 3600 }: { readonly audience?: string; readonly expirationSeconds?: number },
    pod: { readonly name: string; readonly uid?: string },
  ): Promise<Buffer> {
    const path = `/api/v1/namespaces/${this.namespace}/serviceaccounts/${account}/token`;
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: {
        audiences: audience === undefined ? [] : [audience],
        expirationSeconds,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', ...pod },
      },
    };
    try {
      const { status } = await this.client.create<{ status: { token: string } }>(path, request);
      return Buffer.from(status.token);
    } catch (error) {
      if (isStatus(error, 404)) throw new NotReady(`no token for service account "${account}"`);
      throw error;
    }
  }

  /**
   * Returns the services that a pod finds in its environment: those of its namespace if it links them, and that of the
   * API. None where the agent may not read them.
   */
  async services(areLinked: boolean): Promise<readonly ObjectOf<'Service'>[]> {
    const path = (namespace: string) => `/api/v1/namespaces/${namespace}/services`;
    const read = <Kind>(at: string, absent: Kind): Promise<Kind> =>
      this.client.get<Kind>(at).catch((error: unknown) => {
        if (isStatus(error, 403, 404, 405)) return absent;
        throw error;
      });
    const ofApi = await read<ObjectOf<'Service'> | undefined>(`${path('default')}/kubernetes`, undefined);
    const { items } = areLinked
      ? await read<{ items: readonly ObjectOf<'Service'>[] }>(path(this.namespace), { items: [] })
      : { items: [] };
    const others = items.filter(({ metadata }) => metadata?.name !== 'kubernetes' || this.namespace !== 'default');
    return [...(ofApi === undefined ? [] : [ofApi]), ...others];
  }

  /** Whether an object is the one that was read last; `resource` is `configmaps` or `secrets`. */
  hasRead(resource: string, name: string, object: ApiObject | undefined): boolean {
    const key = `${resource}/${name}`;
    return this.#versions.has(key) && this.#versions.get(key) === object?.metadata.resourceVersion;
  }

  async #find<Kind extends ObjectOf<'ConfigMap'>>(
    resource: string,
    name: string,
    optional: boolean,
  ): Promise<Kind | undefined> {
    const key = `${resource}s/${name}`;
    try {
      const path = `/api/v1/namespaces/${this.namespace}/${resource}s/${encodeURIComponent(name)}`;
      const found = await this.client.get<Kind>(path);
      this.#versions.set(key, found.metadata?.resourceVersion);
      return found;
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
      this.#versions.set(key, undefined);
      if (optional) return undefined;
      throw new NotReady(`${resource} "${name}" not found`);
    }
  }
}

const decode = (data: ObjectOf<'ConfigMap'>['data'] = {}, encoding: BufferEncoding): [string, Buffer][] =>
  Object.entries(data).map(([key, value]) => [key, Buffer.from(value, encoding)]);
