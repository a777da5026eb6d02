// Concurrent writers that change objects, and the log of the acknowledged writes in their order.
import { defined, type Resource } from '../../matrix/api/index.js';
import { Prerequisite } from '../client/expect.js';
import { at, type JsonObject } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { eventually } from '../objects/eventually.js';
import type { Sandbox } from '../objects/sandbox.js';

const writersLabel = 'kube-api-conformance/writers';
const sideLabel = 'kube-api-conformance/side';
const stepLabel = 'kube-api-conformance/step';

/** The label selectors of all objects of the writers, and of the objects on the left side. */
export const ofWriters = (id: string): string => `${writersLabel}=${id}`;
export const leftHalfSelector = (id: string): string => `${ofWriters(id)},${sideLabel}=left`;

/** Returns the step that wrote an object. Every write sets it in a label and in an annotation. */
export const stepsOf = (object: unknown): readonly unknown[] =>
  (['labels', 'annotations'] as const).map((field) => at(object, 'metadata', field, stepLabel));

export const sideOf = (object: unknown): unknown => at(object, 'metadata', 'labels', sideLabel);

type Side = 'left' | 'right';

/** A write that the server acknowledged. Times are as returned by `performance.now()`. */
export interface AcknowledgedWrite {
  readonly what: 'create' | 'change' | 'delete';
  readonly name: string;
  /** The step of the object after the write; for a delete, the step before it. */
  readonly step: string;
  /** The side of the object after the write; undefined after a delete. */
  readonly side?: Side;
  /** The version in the response; undefined for a delete. */
  readonly version?: string;
  readonly sent: number;
  readonly acknowledged: number;
}

/** Kinds whose objects stay after a delete until a controller finishes it. The scripts skip their deletes. */
const leavesLater = new Set(['namespaces', 'persistentvolumes', 'persistentvolumeclaims']);

/**
 * Kinds whose next object of a name a controller may delete, as it handles the earlier delete: the endpoint controller
 * finds no Service, and the pod garbage collector deletes a terminating pod by its name only.
 */
const namedOnce = new Set(['endpoints', 'pods']);

type Script = readonly ({ readonly to: Side } | 'delete')[];

/** The writes to each object. The first two exist before; the second is not changed. */
const scripts = {
  there: [{ to: 'left' }, { to: 'right' }, 'delete', { to: 'left' }, { to: 'left' }],
  quiet: [],
  stays: [{ to: 'right' }, { to: 'left' }, { to: 'right' }, { to: 'left' }],
  goes: [{ to: 'left' }, { to: 'left' }, 'delete'],
} as const satisfies Record<string, Script>;

/** Concurrent writers of one collection: their objects and the log of their writes. */
export class ConcurrentWriters {
  readonly id: string;
  /** The object that exists before the writers begin, and that they change. */
  readonly there: string;
  readonly #names: readonly string[];
  readonly #writes: AcknowledgedWrite[] = [];
  /** The current step of each existing object. */
  readonly #state = new Map<string, string>();
  #step = 0;

  constructor(
    readonly sandbox: Sandbox,
    readonly resource: Resource,
    readonly namespace: string | undefined,
  ) {
    this.id = sandbox.name();
    const names = Object.keys(scripts).map(() => sandbox.name(resource));
    this.#names = names;
    this.there = names[0] as string;
  }

  /** The acknowledged writes, in the order of their acknowledgement. */
  get writes(): readonly AcknowledgedWrite[] {
    return this.#writes;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** Creates the first two objects. Throws Prerequisite if the target refuses. */
  async prepare(): Promise<void> {
    await Promise.all(this.#names.slice(0, 2).map((name) => this.#put(name, 'left')));
    this.#writes.length = 0;
  }

  /** Runs all writers; `begun` is called after each acknowledgement. Throws Prerequisite if a write is refused. */
  async run(begun: () => void): Promise<void> {
    const write = async (name: string, script: Script): Promise<void> => {
      for (const step of script) {
        if (step === 'delete') await this.#delete(name);
        else await this.#put(name, step.to);
        begun();
        if (step === 'delete' && namedOnce.has(this.resource.plural)) return;
      }
    };
    await Promise.all(Object.values(scripts).map((script, index) => write(this.#names[index] as string, script)));
  }

  /** Deletes the remaining objects. */
  async end(): Promise<void> {
    await Promise.all([...this.#state.keys()].map((name) => this.#remove(name)));
  }

  /** Creates the object, or changes it if it exists. */
  async #put(name: string, side: Side): Promise<void> {
    this.#step += 1;
    const step = String(this.#step);
    const labels = { [writersLabel]: this.id, [sideLabel]: side, [stepLabel]: step };
    const annotations = { [stepLabel]: step };
    const { sandbox, resource, namespace } = this;
    const there = this.#state.has(name);
    const change = { metadata: { labels, annotations } };
    let sent = performance.now();
    const create = () =>
      sandbox.attempt('create', 'POST', pathTo(resource, 'create', namespace), this.#body(name, change));
    const reply = there
      ? await sandbox.attempt('change', 'PATCH', pathTo(resource, 'patch', namespace, name), change)
      : await create().catch(async (error: unknown) => {
          if (!(error instanceof Prerequisite) || !this.#wasDeleted(name)) throw error;
          await this.#free(name);
          sent = performance.now();
          return await create();
        });
    const version = at(reply.tryValue(), 'metadata', 'resourceVersion');
    if (typeof version !== 'string') throw new Prerequisite(`${reply.request}: the answer has no resourceVersion`);
    this.#state.set(name, step);
    this.#log({ what: there ? 'change' : 'create', name, step, side, version, sent });
  }

  /** Waits until neither a finalizer nor a controller holds the earlier object of this name. */
  async #free(name: string): Promise<void> {
    const { sandbox, resource, namespace } = this;
    const look = () => sandbox.current({ resource, name, ...defined({ namespace }) });
    await eventually(look, (object) => object === undefined, sandbox.timeout);
  }

  #wasDeleted(name: string): boolean {
    return this.#writes.some((write) => write.what === 'delete' && write.name === name);
  }

  #body(name: string, change: JsonObject): JsonObject {
    return this.sandbox.body(this.resource, name, this.namespace, { change });
  }

  async #delete(name: string): Promise<void> {
    if (leavesLater.has(this.resource.plural)) return;
    const step = this.#state.get(name) ?? '';
    const sent = performance.now();
    await this.#remove(name);
    this.#state.delete(name);
    this.#log({ what: 'delete', name, step, sent });
  }

  async #remove(name: string): Promise<void> {
    const path = pathTo(this.resource, 'delete', this.namespace, name);
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Background' };
    const reply = await this.sandbox.client.send({
      method: 'DELETE',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(options),
    });
    if (reply.status > 299 && reply.status !== 404)
      throw new Prerequisite(`${reply.request} answered ${reply.status} ${reply.excerpt()}`);
  }

  #log(write: Omit<AcknowledgedWrite, 'acknowledged'>): void {
    this.#writes.push({ ...write, acknowledged: performance.now() });
  }
}

/**
 * Returns the writes as a watch of the left side shows them: an object that moves to the right is deleted, an object
 * that moves back is created. The objects of `before` are on the left at the beginning.
 */
export function writesInLeftHalf(writes: readonly AcknowledgedWrite[], before: Iterable<string>): AcknowledgedWrite[] {
  const left = new Set(before);
  return writes.flatMap((write): AcknowledgedWrite[] => {
    const { name, side } = write;
    const was = left.has(name);
    if (side === 'left') {
      left.add(name);
      return [{ ...write, what: was ? 'change' : 'create' }];
    }
    left.delete(name);
    return was ? [{ ...write, what: 'delete' }] : [];
  });
}
