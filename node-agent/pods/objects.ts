// Reads what pods refer to: ConfigMaps, Secrets, service accounts' tokens.
import { type ApiClient, isStatus } from '../api/apiClient.js';

/** Something that a container needs is not there (yet). */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

type Contents = ReadonlyMap<string, Buffer>;

export class Objects {
  constructor(
    readonly client: ApiClient,
    readonly namespace: string,
  ) {}

  /** The entries of a ConfigMap; undefined when it is optional and not there. Throws NotReady. */
  async configMap(name: string, optional = false): Promise<Contents | undefined> {
    const found = await this.#find<Bags>('configmaps', name, optional, 'configmap');
    if (found === undefined) return undefined;
    const plain = Object.entries(found.data ?? {}).map(([key, value]) => [key, Buffer.from(value)] as const);
    const binary = Object.entries(found.binaryData ?? {});
    return new Map([...plain, ...binary.map(([key, value]) => [key, Buffer.from(value, 'base64')] as const)]);
  }

  /** The entries of a Secret; undefined when it is optional and not there. Throws NotReady. */
  async secret(name: string, optional = false): Promise<Contents | undefined> {
    const found = await this.#find<Bags>('secrets', name, optional, 'secret');
    if (found === undefined) return undefined;
    return new Map(Object.entries(found.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]));
  }

  /** A token of a service account for a pod. Throws NotReady. */
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

  async #find<Kind>(plural: string, name: string, optional: boolean, what: string): Promise<Kind | undefined> {
    try {
      return await this.client.get<Kind>(`/api/v1/namespaces/${this.namespace}/${plural}/${encodeURIComponent(name)}`);
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
      if (optional) return undefined;
      throw new NotReady(`${what} "${name}" not found`);
    }
  }
}

interface Bags {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}
