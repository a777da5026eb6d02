// Reads the objects that pods reference: ConfigMaps, Secrets, tokens of service accounts.
import { type ApiClient, isStatus } from '../api/apiClient.js';

/** A referenced object of a container does not exist yet. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

type Entries = ReadonlyMap<string, Buffer>;

export class Objects {
  constructor(
    readonly client: ApiClient,
    readonly namespace: string,
  ) {}

  /** Returns the entries of a ConfigMap, or undefined if it is optional and absent. Throws NotReady if it is absent. */
  async configMap(name: string, optional = false): Promise<Entries | undefined> {
    const found = await this.#find('configmap', name, optional);
    return found && new Map([...decode(found.data, 'utf8'), ...decode(found.binaryData, 'base64')]);
  }

  /** Returns the entries of a Secret, or undefined if it is optional and absent. Throws NotReady if it is absent. */
  async secret(name: string, optional = false): Promise<Entries | undefined> {
    const found = await this.#find('secret', name, optional);
    return found && new Map(decode(found.data, 'base64'));
  }

  /** Returns a token of a service account for a pod. Throws NotReady. */
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

  async #find(resource: string, name: string, optional: boolean): Promise<Data | undefined> {
    try {
      return await this.client.get<Data>(
        `/api/v1/namespaces/${this.namespace}/${resource}s/${encodeURIComponent(name)}`,
      );
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
      if (optional) return undefined;
      throw new NotReady(`${resource} "${name}" not found`);
    }
  }
}

type Strings = Readonly<Record<string, string>>;

interface Data {
  readonly data?: Strings;
  readonly binaryData?: Strings;
}

const decode = (data: Strings = {}, encoding: BufferEncoding): [string, Buffer][] =>
  Object.entries(data).map(([key, value]) => [key, Buffer.from(value, encoding)]);
