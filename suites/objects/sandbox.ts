// The sandbox of a worker on the target: its own namespaces, names with the run's id, objects with the run's label.
import { createHash } from 'node:crypto';
import { apiVersionOf, defined, type Resource } from '../../matrix/api/index.js';
import { namePrefix, runLabel } from '../client/belonging.js';
import type { Client } from '../client/client.js';
import { Prerequisite } from '../client/expect.js';
import { isEnding, isObject, type JsonObject, merge } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { NoAnswer, type Reply } from '../client/reply.js';
import { onNamespaceServer } from './namespaceServer.js';
import { onlyNamespace } from './oneNamespace.js';
import { sampleOf } from './samples/index.js';

/** The label of objects that one selector of a case selects. */
export const groupLabel = 'kube-api-conformance/group';

/** A cluster may restrict the pods of namespaces without this label; those of the cases have no security context. */
export const admitsAnyPod = { 'pod-security.kubernetes.io/enforce': 'privileged' } as const;

export interface CreatedObject {
  readonly resource: Resource;
  readonly name: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  /** The body of the create. */
  readonly sent: JsonObject;
  /** The body of the response. */
  readonly object: JsonObject;
}

export interface MakeOptions {
  /** The name; a new one when absent. */
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: JsonObject;
  /** False for a canary: an object without the run's label. */
  readonly labelled?: boolean;
  /** Set if a status will be written to the object. */
  readonly statusToCome?: true;
  readonly change?: JsonObject;
  /** Set if later cases also need the object. */
  readonly kept?: true;
}

export class Sandbox {
  readonly #namespaces = new Map<string, Promise<string>>();
  readonly #spared = new Map<string, Promise<void>>();
  #count = 0;
  /** The number of namespaces that could not be created. */
  #lost = 0;
  /** Services, which hold an address of the cluster and are not needed after their case. */
  #addressed: CreatedObject[] = [];

  constructor(
    readonly client: Client,
    readonly runId: string,
    readonly worker: string,
    /** Whether the target has namespaces as objects; without them it takes any name. */
    readonly hasNamespaces = true,
  ) {}

  /** Milliseconds that a controller of the target may take. */
  get timeout(): number {
    return this.client.usualStreamTimeout;
  }

  /** Returns a new name: the id of the run, the worker, a number, and the suffix that the kind requires. */
  name(resource?: Resource): string {
    this.#count += 1;
    const suffix = resource === undefined || resource.found ? '' : (sampleOf(resource).nameSuffix ?? '');
    return `${namePrefix(this.runId)}-${this.worker}-${this.#count}${suffix}`;
  }

  isOwnName(name: string): boolean {
    return name.startsWith(`${namePrefix(this.runId)}-${this.worker}-`);
  }

  labels(): JsonObject {
    return { [runLabel]: this.runId };
  }

  /** Returns the worker's namespace of that key, and creates it at the first use. */
  async namespace(key = 'main'): Promise<string> {
    const only = onlyNamespace(this.client.target, key);
    if (only !== undefined) return only;
    let known = this.#namespaces.get(key);
    if (known === undefined) {
      const suffix = this.#lost === 0 ? '' : `-${this.#lost}`;
      known = this.#createNamespace(`${namePrefix(this.runId)}-${this.worker}-${key}${suffix}`);
      this.#namespaces.set(key, known);
      known.catch(() => {
        // the next use tries again with another name, because a create whose response was lost may have used this one
        this.#namespaces.delete(key);
        this.#lost += 1;
      });
    }
    return known;
  }

  /**
   * Returns a namespace for lists. Few objects are created in it, because a list of everything that the run created
   * takes long to send and to decode, most of all as YAML.
   */
  listed(): Promise<string> {
    return this.namespace('lists');
  }

  /** Returns a valid body for a create of the resource with that name. */
  body(resource: Resource, name: string, namespace: string | undefined, options: MakeOptions = {}): JsonObject {
    const { fields, fieldsIn, ownLabel } = sampleOf(resource);
    const labels = { ...(options.labelled === false ? {} : this.labels()), ...options.labels };
    const sample = {
      apiVersion: apiVersionOf(resource.groupVersion),
      kind: resource.kind,
      // A review has no name and no labels.
      metadata: isTransient(resource) ? defined({ namespace }) : { name, ...defined({ namespace }), labels },
      ...merge(
        ownLabel === undefined ? fields : merge(fields, ownLabel(ownLabelOf(name))),
        fieldsIn === undefined || namespace === undefined ? {} : fieldsIn(namespace),
      ),
    };
    const { beforeStatus } = options.statusToCome ? sampleOf(resource) : {};
    return [beforeStatus, options.change].reduce<JsonObject>((body, change) => merge(body, change ?? {}), sample);
  }

  /** Creates a sample of the resource. Throws Prerequisite if the target refuses. */
  async make(resource: Resource, options: MakeOptions = {}): Promise<CreatedObject> {
    const namespace = resource.namespaced ? (options.namespace ?? (await this.namespace())) : undefined;
    const { name = this.name(resource) } = options;
    const sent = this.body(resource, name, namespace, options);
    const reply = await this.attempt(`create ${resource.plural}`, 'POST', pathTo(resource, 'create', namespace), sent);
    const object = reply.tryValue();
    if (!isObject(object))
      throw new Prerequisite(`create ${resource.plural}: the response is not an object: ${reply.excerpt()}`);
    const made = { resource, name, sent, object, ...defined({ namespace }) };
    if (resource.kind === 'Service' && !options.kept) this.#addressed.push(made);
    return made;
  }

  /**
   * Deletes the Services that were created since the last call: by default an API server has only 254 addresses. A
   * Service that cannot be deleted now is left to the clean-up.
   */
  async releaseAddresses(): Promise<void> {
    for (const { resource, name, namespace } of this.#addressed.splice(0))
      await this.client.send({ method: 'DELETE', path: pathTo(resource, 'delete', namespace, name) });
  }

  /** Sends a request that must succeed before a check can begin. Throws Prerequisite if it fails. */
  async attempt(what: string, method: string, path: string, body?: JsonObject): Promise<Reply> {
    const call = {
      method,
      path,
      isPreparing: true as const,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': contentType[method] ?? 'application/json' } }),
    };
    let reply: Reply;
    try {
      reply = await this.client.send(call);
    } catch (error) {
      if (error instanceof NoAnswer) throw new Prerequisite(`${what}: ${error.message}`, { cause: error });
      throw error;
    }
    if (reply.status < 200 || reply.status > 299) {
      const answered = `${method} ${path} answered ${reply.status} ${reply.excerpt()}`;
      throw new Prerequisite(`${what}: ${answered}`, { cause: reply });
    }
    return reply;
  }

  /**
   * Reads the current object; undefined if it is gone. Accepts most client errors as absence, because the document
   * names no code for it. Throws Prerequisite for other responses.
   */
  async current(made: Pick<CreatedObject, 'resource' | 'name' | 'namespace'>): Promise<JsonObject | undefined> {
    const path = pathTo(made.resource, 'read', made.namespace, made.name);
    const reply = await this.client.send({ method: 'GET', path, isPreparing: true });
    if (saysAbsent(reply)) return undefined;
    const value = reply.tryValue();
    if (reply.status !== 200 || !isObject(value)) {
      throw new Prerequisite(`read back: GET ${path} answered ${reply.status} ${reply.excerpt()}`);
    }
    return value;
  }

  /**
   * Replaces an object with a change of its current state. Retries after a conflict with a controller, as clients do.
   * Returns the last response.
   */
  async put(made: CreatedObject, change: (object: JsonObject) => JsonObject): Promise<Reply> {
    const path = pathTo(made.resource, 'replace', made.namespace, made.name);
    for (let attempt = 1; ; attempt += 1) {
      const body = JSON.stringify(change(attempt === 1 ? made.object : ((await this.current(made)) ?? made.object)));
      const headers = { 'content-type': 'application/json' };
      const reply = await this.client.send({ method: 'PUT', path, headers, body });
      if (reply.status !== 409 || attempt === conflicts) return reply;
    }
  }

  /**
   * Sends a delete-collection. Retries after a conflict with a controller, for the remaining objects, as clients do.
   * Returns the last response.
   */
  async deleteCollection(path: string): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.client.send({ method: 'DELETE', path });
      if (reply.status !== 409 || attempt === conflicts) return reply;
    }
  }

  /** Returns the list from which a check reads effects. Throws Prerequisite if the list fails. */
  async list(resource: Resource, namespace: string | undefined, query = ''): Promise<JsonObject> {
    const reply = await this.attempt(`list ${resource.plural}`, 'GET', pathTo(resource, 'list', namespace) + query);
    const value = reply.tryValue();
    if (!isObject(value)) throw new Prerequisite(`list ${resource.plural}: no object: ${reply.excerpt()}`);
    return value;
  }

  /**
   * Checks that a delete-collection of the resource respects a label selector, once for each resource, with a canary in
   * a namespace of the run. Throws Prerequisite if the canary was deleted; every later call throws too.
   */
  selectorsAreRespected(resource: Resource): Promise<void> {
    let known = this.#spared.get(resource.plural + resource.groupVersion.group);
    if (known === undefined) {
      known = this.#tryCanary(resource);
      this.#spared.set(resource.plural + resource.groupVersion.group, known);
    }
    return known;
  }

  async #tryCanary(resource: Resource): Promise<void> {
    const canary = await this.make(resource, { labelled: false });
    const selector = encodeURIComponent(`kube-api-conformance/canary=${canary.name}`);
    const path = `${pathTo(resource, 'deleteCollection', canary.namespace)}?labelSelector=${selector}`;
    await this.client.send({ method: 'DELETE', path });
    const after = await this.current(canary);
    if (after === undefined || isEnding(after)) {
      throw new Prerequisite(
        `a delete-collection of ${resource.plural} deleted an object that its selector leaves out`,
      );
    }
  }

  /**
   * Creates a namespace. A run that only reads gets the name of one that does not exist, and so does a run on a target
   * without namespaces, unless another server keeps them.
   */
  async #createNamespace(name: string): Promise<string> {
    if (this.client.target.readOnly) return name;
    if (!this.hasNamespaces) {
      await onNamespaceServer(this.client, (keeper) =>
        new Sandbox(keeper, this.runId, this.worker).#createNamespace(name),
      );
      return name;
    }
    const create = (labels: JsonObject): Promise<Reply> => {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { ...this.labels(), ...labels } } };
      return this.attempt(`create namespace ${name}`, 'POST', '/api/v1/namespaces', body);
    };
    // A policy may keep that label from the user of the run.
    await create(admitsAnyPod).catch((error: Error) => {
      if (error.cause instanceof NoAnswer) throw error;
      return create({});
    });
    return name;
  }
}

/** Reports whether objects of a kind that only the target knows are answered, and never stored. */
export const isTransient = ({ found, stated }: Resource): boolean => found !== undefined && !stated.includes('read');

/** A client error other than those about the user, timeouts and load. */
const saysAbsent = ({ status }: Reply): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);

/** The maximum number of tries of a write that had a conflict with a controller. */
export const conflicts = 5;

/** Returns a label that no object of another name has. Names may be longer than the value of a label. */
function ownLabelOf(name: string): JsonObject {
  return { 'kube-api-conformance/of': createHash('sha256').update(name).digest('hex').slice(0, 16) };
}

const contentType: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' };
