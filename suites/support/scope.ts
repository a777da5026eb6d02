// What a worker creates: namespaces of its own, names that carry the run, objects that carry its label.
import { createHash } from 'node:crypto';
import { apiVersionOf, operations, type Resource, type Verb } from '../../matrix/api/index.js';
import type { Client } from './client.js';
import { Prerequisite } from './expect.js';
import { at, isObject, type JsonObject, merge } from './json.js';
import { NoAnswer, type Reply } from './reply.js';
import { namePrefix, runLabel } from './run.js';
import { sampleOf } from './samples/index.js';

/** An object that was created for a check. */
export interface Made {
  readonly resource: Resource;
  readonly name: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  /** What was sent. */
  readonly sent: JsonObject;
  /** What the create answered. */
  readonly object: JsonObject;
}

export interface MakeOptions {
  /** A new one when absent. */
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: JsonObject;
  /** False for a canary: an object without the run's label. */
  readonly labelled?: boolean;
  /** Whether its status is to be written. */
  readonly statusToCome?: true;
  /** Merged over the sample. */
  readonly change?: JsonObject;
  /** Whether later cases need it too. */
  readonly kept?: true;
}

/** A worker's names and namespaces on the target. */
export class Scope {
  readonly #namespaces = new Map<string, Promise<string>>();
  readonly #spared = new Map<string, Promise<void>>();
  #count = 0;
  /** Namespaces that could not be made. */
  #lost = 0;
  /** Objects that hold an address of the cluster and are needed no more when their case is over. */
  #addressed: Made[] = [];

  constructor(
    readonly client: Client,
    readonly runId: string,
    readonly worker: string,
  ) {}

  /** A new name: the run, the worker and a number, and what the kind wants at the end of it. */
  name(resource?: Resource): string {
    this.#count += 1;
    const suffix = resource === undefined ? '' : (sampleOf(resource).nameSuffix ?? '');
    return `${namePrefix(this.runId)}-${this.worker}-${this.#count}${suffix}`;
  }

  /** Whether this worker gave that name to something. */
  isOwnName(name: string): boolean {
    return name.startsWith(`${namePrefix(this.runId)}-${this.worker}-`);
  }

  /** The labels of everything that the run creates. */
  labels(): JsonObject {
    return { [runLabel]: this.runId };
  }

  /** The worker's namespace of that key, created at its first use. */
  namespace(key = 'main'): Promise<string> {
    let known = this.#namespaces.get(key);
    if (known === undefined) {
      const suffix = this.#lost === 0 ? '' : `-${this.#lost}`;
      known = this.#createNamespace(`${namePrefix(this.runId)}-${this.worker}-${key}${suffix}`);
      this.#namespaces.set(key, known);
      known.catch(() => {
        // whoever needs it next tries again, under a name that a create with a lost answer has not taken
        this.#namespaces.delete(key);
        this.#lost += 1;
      });
    }
    return known;
  }

  /** A valid body for a create of the resource under that name. */
  body(resource: Resource, name: string, namespace: string | undefined, options: MakeOptions = {}): JsonObject {
    const { fields, fieldsIn, ownLabel } = sampleOf(resource);
    const labels = { ...(options.labelled === false ? {} : this.labels()), ...options.labels };
    const sample = {
      apiVersion: apiVersionOf(resource.groupVersion),
      kind: resource.kind,
      metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels },
      ...merge(
        ownLabel === undefined ? fields : merge(fields, ownLabel(ownLabelOf(name))),
        fieldsIn === undefined || namespace === undefined ? {} : fieldsIn(namespace),
      ),
    };
    const { beforeStatus } = options.statusToCome ? sampleOf(resource) : {};
    return [beforeStatus, options.change].reduce<JsonObject>((body, change) => merge(body, change ?? {}), sample);
  }

  /** Creates a sample of the resource. Throws Prerequisite where the target refuses. */
  async make(resource: Resource, options: MakeOptions = {}): Promise<Made> {
    const namespace = resource.namespaced ? (options.namespace ?? (await this.namespace())) : undefined;
    const { name = this.name(resource) } = options;
    const sent = this.body(resource, name, namespace, options);
    const reply = await this.attempt(`create ${resource.plural}`, 'POST', pathTo(resource, 'create', namespace), sent);
    const object = reply.tryValue();
    if (!isObject(object))
      throw new Prerequisite(`create ${resource.plural}: the answer is no object: ${reply.excerpt()}`);
    const made = { resource, name, sent, object, ...(namespace === undefined ? {} : { namespace }) };
    if (resource.kind === 'Service' && !options.kept) this.#addressed.push(made);
    return made;
  }

  /**
   * Deletes the Services that were made since the last call: by default an API server has 254 addresses for them. A
   * Service that cannot be deleted now is left to the cleaning up.
   */
  async releaseAddresses(): Promise<void> {
    for (const { resource, name, namespace } of this.#addressed.splice(0))
      await this.client.send({ method: 'DELETE', path: pathTo(resource, 'delete', namespace, name) });
  }

  /** Sends a request that must succeed before a check can begin. */
  async attempt(what: string, method: string, path: string, body?: JsonObject): Promise<Reply> {
    const call = {
      method,
      path,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': contentType[method] ?? 'application/json' } }),
    };
    let reply: Reply;
    try {
      reply = await this.client.send(call);
      for (let waited = 0; awaitsServiceAccount(reply) && waited < patience; waited += pause) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        reply = await this.client.send(call);
      }
    } catch (error) {
      if (error instanceof NoAnswer) throw new Prerequisite(`${what}: ${error.message}`, { cause: error });
      throw error;
    }
    if (reply.status < 200 || reply.status > 299) {
      throw new Prerequisite(`${what}: ${method} ${path} answered ${reply.status} ${reply.excerpt()}`);
    }
    return reply;
  }

  /**
   * Reads an object as it is now; undefined where it is gone, however the server says so: the document names no code
   * for it. Throws Prerequisite for other answers.
   */
  async current(made: Pick<Made, 'resource' | 'name' | 'namespace'>): Promise<JsonObject | undefined> {
    const path = pathTo(made.resource, 'read', made.namespace, made.name);
    const reply = await this.client.send({ method: 'GET', path });
    if (saysAbsent(reply)) return undefined;
    const value = reply.tryValue();
    if (reply.status !== 200 || !isObject(value)) {
      throw new Prerequisite(`read back: GET ${path} answered ${reply.status} ${reply.excerpt()}`);
    }
    return value;
  }

  /**
   * Replaces an object by a change of what it is now. A conflict with a controller that wrote in between is tried
   * again, as clients do; the last answer is returned, whatever it is.
   */
  async put(made: Made, change: (object: JsonObject) => JsonObject): Promise<Reply> {
    const path = pathTo(made.resource, 'replace', made.namespace, made.name);
    for (let attempt = 1; ; attempt += 1) {
      const body = JSON.stringify(change(attempt === 1 ? made.object : ((await this.current(made)) ?? made.object)));
      const headers = { 'content-type': 'application/json' };
      const reply = await this.client.send({ method: 'PUT', path, headers, body });
      if (reply.status !== 409 || attempt === conflicts) return reply;
    }
  }

  /** Sends a delete-collection. One that lost against a controller is sent again for the rest, as clients do. */
  async deleteCollection(path: string): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.client.send({ method: 'DELETE', path });
      if (reply.status !== 409 || attempt === conflicts) return reply;
    }
  }

  /** The list that a check reads effects from. */
  async list(resource: Resource, namespace: string | undefined, query = ''): Promise<JsonObject> {
    const reply = await this.attempt(`list ${resource.plural}`, 'GET', pathTo(resource, 'list', namespace) + query);
    const value = reply.tryValue();
    if (!isObject(value)) throw new Prerequisite(`list ${resource.plural}: no object: ${reply.excerpt()}`);
    return value;
  }

  /**
   * Makes sure that a delete-collection of the resource respects a label selector, once for each resource, with a
   * canary in a namespace of the run. Throws Prerequisite where the canary died: no further one is sent then.
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
    if (after === undefined || at(after, 'metadata', 'deletionTimestamp') !== undefined) {
      throw new Prerequisite(
        `a delete-collection of ${resource.plural} deleted an object that its selector leaves out`,
      );
    }
  }

  /** A run that only reads gets the name of a namespace that is not there. */
  async #createNamespace(name: string): Promise<string> {
    if (this.client.target.readOnly) return name;
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: this.labels() } };
    await this.attempt(`create namespace ${name}`, 'POST', '/api/v1/namespaces', body);
    return name;
  }
}

/** A client error that is not about who asks, nor about when. */
const saysAbsent = ({ status }: Reply): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);

/** How often a write that lost against a controller is tried. */
export const conflicts = 5;

/** How long a new namespace may wait for the service account that its pods need, in milliseconds. */
const patience = 15_000;
const pause = 100;

/** A pod was refused because a controller has not made its service account yet, or the token of it. */
function awaitsServiceAccount(reply: Reply): boolean {
  return (reply.status === 403 || reply.status === 500) && /service ?account/i.test(reply.excerpt());
}

/** A label that no object of another name has; names may be longer than the value of a label. */
function ownLabelOf(name: string): JsonObject {
  return { 'kube-api-conformance/of': createHash('sha256').update(name).digest('hex').slice(0, 16) };
}

const contentType: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' };

const templates = new Map(
  operations.flatMap(({ resource, verb, path }) =>
    resource === undefined ? [] : [[keyOf(resource, verb), path] as const],
  ),
);

function keyOf(resource: Resource, verb: Verb | 'discover'): string {
  return `${resource.groupVersion.prefix} ${resource.plural} ${verb}`;
}

/** Puts values into a path template. */
export function fill(template: string, namespace: string | undefined, name?: string): string {
  return template
    .replace('{namespace}', encodeURIComponent(namespace ?? ''))
    .replace('{name}', encodeURIComponent(name ?? ''))
    .replace('{path}', '');
}

/**
 * The path of a verb of a resource. Verbs that differ only in what they declare share a path (`read` and `readPlain`).
 * Throws where the table has no such operation.
 */
export function pathTo(resource: Resource, verb: Verb, namespace: string | undefined, name?: string): string {
  const same: Partial<Record<Verb, Verb>> = { read: 'readPlain', delete: 'deletePlain' };
  const other = same[verb];
  const template = templates.get(keyOf(resource, verb)) ?? (other && templates.get(keyOf(resource, other)));
  if (template === undefined) throw new Error(`${resource.plural} has no ${verb}`);
  return fill(template, namespace, name);
}
