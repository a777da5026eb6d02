// Writers that change objects side by side, and their log: what the server acknowledged, in which order.
import type { Resource } from '../../matrix/api/index.js';
import { eventually } from '../support/eventually.js';
import { Prerequisite } from '../support/expect.js';
import { at, type JsonObject } from '../support/json.js';
import { pathTo, type Scope } from '../support/scope.js';

const stormLabel = 'kube-api-conformance/storm';
const sideLabel = 'kube-api-conformance/side';
const stepLabel = 'kube-api-conformance/step';

/** The label selector of everything in a storm, and of those of its objects that are on the left side. */
export const inStorm = (storm: string): string => `${stormLabel}=${storm}`;
export const onTheLeft = (storm: string): string => `${inStorm(storm)},${sideLabel}=left`;

/** The step that wrote an object; every write sets it twice, in a label and in an annotation. */
export const stepsOf = (object: unknown): readonly unknown[] =>
  (['labels', 'annotations'] as const).map((field) => at(object, 'metadata', field, stepLabel));

/** The side that an object is on. */
export const sideOf = (object: unknown): unknown => at(object, 'metadata', 'labels', sideLabel);

type Side = 'left' | 'right';

/** A write that the server acknowledged. Times are of `performance.now()`. */
export interface Write {
  readonly what: 'create' | 'change' | 'delete';
  readonly name: string;
  /** What the object's step is since then; of a delete, what it was. */
  readonly step: string;
  /** The side it is on since then; undefined once it is gone. */
  readonly side?: Side;
  /** The version that the server answered; undefined for a delete. */
  readonly version?: string;
  readonly sent: number;
  readonly acknowledged: number;
}

/** Kinds that a delete only marks, until a controller lets them go: their objects change, and stay. */
const leavesLater = new Set(['namespaces', 'persistentvolumes', 'persistentvolumeclaims']);

/** Kinds of which a controller deletes the next of a name, where it hears that one was deleted and no Service is there. */
const namedOnce = new Set(['endpoints']);

type Script = readonly ({ readonly to: Side } | 'delete')[];

/** What becomes of each object. The first two are there before; nothing is done to the second. */
const scripts = {
  there: [{ to: 'left' }, { to: 'right' }, 'delete', { to: 'left' }, { to: 'left' }],
  quiet: [],
  stays: [{ to: 'right' }, { to: 'left' }, { to: 'right' }, { to: 'left' }],
  goes: [{ to: 'left' }, { to: 'left' }, 'delete'],
} as const satisfies Record<string, Script>;

/** A storm on one collection: its objects and the log of its writes. */
export class Storm {
  readonly id: string;
  /** The object that is there before the storm begins, and that is changed in it. */
  readonly there: string;
  readonly #names: readonly string[];
  readonly #writes: Write[] = [];
  /** The step that each object is at, and whether it is there. */
  readonly #state = new Map<string, string>();
  #step = 0;

  constructor(
    readonly scope: Scope,
    readonly resource: Resource,
    readonly namespace: string | undefined,
  ) {
    this.id = scope.name();
    const names = Object.keys(scripts).map(() => scope.name(resource));
    this.#names = names;
    this.there = names[0] as string;
  }

  /** The acknowledged writes, in the order of their acknowledgements. */
  get writes(): readonly Write[] {
    return this.#writes;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** Creates what is there before. Throws Prerequisite where the target refuses. */
  async prepare(): Promise<void> {
    await Promise.all(this.#names.slice(0, 2).map((name) => this.#put(name, 'left')));
    this.#writes.length = 0;
  }

  /** Runs all writers; `begun` is called after the first acknowledgement. Throws Prerequisite for a refused write. */
  async rage(begun: () => void): Promise<void> {
    const run = async (name: string, script: Script): Promise<void> => {
      for (const step of script) {
        if (step === 'delete') await this.#delete(name);
        else await this.#put(name, step.to);
        begun();
        if (step === 'delete' && namedOnce.has(this.resource.plural)) return;
      }
    };
    await Promise.all(Object.values(scripts).map((script, index) => run(this.#names[index] as string, script)));
  }

  /** Deletes what is left. */
  async end(): Promise<void> {
    await Promise.all([...this.#state.keys()].map((name) => this.#remove(name)));
  }

  /** Creates the object, or changes it where it is there. */
  async #put(name: string, side: Side): Promise<void> {
    this.#step += 1;
    const step = String(this.#step);
    const labels = { [stormLabel]: this.id, [sideLabel]: side, [stepLabel]: step };
    const annotations = { [stepLabel]: step };
    const { scope, resource, namespace } = this;
    const there = this.#state.has(name);
    const change = { metadata: { labels, annotations } };
    let sent = performance.now();
    const create = () =>
      scope.attempt('create', 'POST', pathTo(resource, 'create', namespace), this.#body(name, change));
    const reply = there
      ? await scope.attempt('change', 'PATCH', pathTo(resource, 'patch', namespace, name), change)
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

  /** Waits until nobody holds the object that had this name before: a finalizer, or a controller. */
  async #free(name: string): Promise<void> {
    const { scope, resource, namespace } = this;
    const look = () => scope.current({ resource, name, ...(namespace === undefined ? {} : { namespace }) });
    await eventually(look, (object) => object === undefined);
  }

  #wasDeleted(name: string): boolean {
    return this.#writes.some((write) => write.what === 'delete' && write.name === name);
  }

  #body(name: string, change: JsonObject): JsonObject {
    return this.scope.body(this.resource, name, this.namespace, { change });
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
    const reply = await this.scope.client.send({
      method: 'DELETE',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(options),
    });
    if (reply.status > 299 && reply.status !== 404)
      throw new Prerequisite(`${reply.request} answered ${reply.status} ${reply.excerpt()}`);
  }

  #log(write: Omit<Write, 'acknowledged'>): void {
    this.#writes.push({ ...write, acknowledged: performance.now() });
  }
}

/**
 * The writes as somebody sees them who sees the left side only: what goes to the right is gone, what comes from there
 * is new. Those of `before` are on the left at the beginning.
 */
export function seenFromTheLeft(writes: readonly Write[], before: Iterable<string>): Write[] {
  const left = new Set(before);
  return writes.flatMap((write): Write[] => {
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
