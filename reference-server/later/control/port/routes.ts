// The requests of the control port: what each one does, and what it takes and returns, for its OpenAPI document.
import { OptionError } from '../../../optionValues.js';
import type { Controls } from '../controls.js';
import type {
  Delay,
  Failure,
  LoadOptions,
  MoveOptions,
  RecordMatch,
  Rule,
  Snapshot,
  TestObject,
  WatchCut,
} from '../surface.js';

/** A request of the port, read. */
export interface Asked {
  /** The texts in the places of `{id}`, `{resource}` and `{name}`. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The body, an object, or for `objects` any list too; an empty object if there is none. */
  readonly body: unknown;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path; a part in braces is any text without a slash. */
  readonly path: string;
  readonly summary: string;
  /**
   * The fields of the body, with their JSON Schema types; absent if the request has no body. Objects may be YAML too.
   */
  readonly takes?: Fields | 'objects';
  readonly query?: Fields;
  /** The fields of the response. */
  readonly returns: Fields | 'object' | 'objects' | 'requests';
  readonly run: (asked: Asked) => unknown;
}

type Type = 'string' | 'integer' | 'number' | 'boolean';
export type Fields = Readonly<Record<string, Type>>;

const match = {
  verb: 'string',
  method: 'string',
  resource: 'string',
  group: 'string',
  subresource: 'string',
  namespace: 'string',
  name: 'string',
  user: 'string',
} as const satisfies Fields;

const times = { times: 'integer' } as const;
const failure = {
  ...{ ...match, status: 'integer', reset: 'boolean', reason: 'string', message: 'string', retryAfter: 'integer' },
  ...{ afterWrite: 'boolean', ...times },
} as const satisfies Fields;

const moveLimits = { timers: 'integer', timeout: 'integer' } as const satisfies Fields;
const moved = { now: 'string', timers: 'integer', until: 'string', complete: 'boolean' } as const satisfies Fields;

/** The most failures and delays, and the most snapshots, that a port keeps. */
const most = { rules: 1_000, snapshots: 20 };

/** The milliseconds that a wait for a request may take. */
const longestWait = 300_000;

/** Returns the requests of a port. Each port keeps its own failures, delays and snapshots, by their ids. */
export function routesOf(controls: Controls): readonly Route[] {
  const rules = new Kept<Rule>('failure or delay', most.rules, (rule) => rule.remove());
  const snapshots = new Kept<Snapshot>('snapshot', most.snapshots);
  const ruleMade = (rule: () => Rule) => ({ id: rules.add(rule), calls: 0 });
  const { clock, requests } = controls;
  const now = () => ({ now: clock.now().toISOString() });
  return [
    {
      ...{ method: 'POST', path: '/failures', summary: 'Makes requests that match fail.' },
      ...{ takes: failure, returns: { id: 'string', calls: 'integer' } },
      run: ({ body }) => ruleMade(() => controls.fail(body as Failure)),
    },
    {
      ...{ method: 'POST', path: '/delays', summary: 'Delays requests that match.' },
      ...{ takes: { ...match, milliseconds: 'number', ...times }, returns: { id: 'string', calls: 'integer' } },
      run: ({ body }) => ruleMade(() => controls.delay(body as Delay)),
    },
    {
      ...{ method: 'GET', path: '/rules/{id}', summary: 'Tells how many requests a failure or a delay has met.' },
      returns: { id: 'string', calls: 'integer' },
      run: ({ path: { id = '' } }) => ({ id, calls: rules.get(id).calls }),
    },
    {
      ...{ method: 'DELETE', path: '/rules/{id}', summary: 'Ends a failure or a delay.' },
      returns: { id: 'string', calls: 'integer' },
      run: ({ path: { id = '' } }) => {
        const { calls } = rules.get(id);
        rules.remove(id);
        return { id, calls };
      },
    },
    {
      ...{ method: 'POST', path: '/watches/cut', summary: 'Ends open watches at once; with reset, cuts connections.' },
      ...{
        takes: { resource: 'string', namespace: 'string', user: 'string', reset: 'boolean' },
        returns: { cut: 'integer' },
      },
      run: ({ body }) => ({ cut: controls.cutWatches(body as WatchCut) }),
    },
    {
      ...{ method: 'POST', path: '/compact', summary: 'Expires every resourceVersion and continue token up to now.' },
      returns: {},
      run: () => controls.compact(),
    },
    {
      ...{ method: 'GET', path: '/clock', summary: 'Tells the time of the server.' },
      returns: { now: 'string' },
      run: now,
    },
    {
      ...{ method: 'PUT', path: '/clock', summary: 'Sets the clock of the server to a time in RFC 3339.' },
      ...{ takes: { now: 'string', ...moveLimits }, returns: moved },
      run: async ({ body }) => {
        const { now: time, ...limits } = body as { now?: string } & MoveOptions;
        if (typeof time !== 'string') throw new OptionError('clock: give now, a text such as 2030-01-31T12:00:00Z');
        return { ...(await clock.set(time, limits)), ...now() };
      },
    },
    {
      ...{ method: 'POST', path: '/clock/advance', summary: 'Moves the clock forward, and runs what becomes due.' },
      ...{ takes: { milliseconds: 'number', ...moveLimits }, returns: moved },
      run: async ({ body }) => {
        const { milliseconds, ...limits } = body as { milliseconds: number } & MoveOptions;
        return { ...(await clock.advance(milliseconds, limits)), ...now() };
      },
    },
    {
      ...{ method: 'DELETE', path: '/clock', summary: 'Returns to real time.' },
      returns: { now: 'string' },
      run: async () => {
        await clock.reset();
        return now();
      },
    },
    {
      ...{ method: 'POST', path: '/objects', summary: 'Stores objects, with their status and everything.' },
      ...{ takes: 'objects', query: { fieldValidation: 'string' }, returns: 'objects' },
      run: ({ body, query }) => {
        // a text would be the path of a file of the server
        if (typeof body !== 'object' || body === null)
          throw new OptionError('load: give an object, a list or an array');
        return controls.load(body as TestObject | readonly TestObject[], query as LoadOptions);
      },
    },
    {
      ...{ method: 'GET', path: '/objects/{resource}', summary: 'Returns objects as they are stored.' },
      ...{ query: { namespace: 'string' }, returns: 'objects' },
      run: ({ path: { resource = '' }, query }) => controls.objects(resource, query.namespace),
    },
    {
      ...{ method: 'GET', path: '/objects/{resource}/{name}', summary: 'Returns an object as it is stored.' },
      ...{ query: { namespace: 'string' }, returns: 'object' },
      run: async ({ path: { resource = '', name = '' }, query: { namespace } }) => {
        const object = await controls.get(resource, name, namespace);
        if (object === undefined) throw new NotThere(`there is no ${name} among the ${resource}`);
        return object;
      },
    },
    {
      ...{ method: 'POST', path: '/snapshots', summary: 'Remembers all objects; the oldest of 20 is forgotten.' },
      returns: { id: 'string', size: 'integer' },
      run: async () => {
        const snapshot = await controls.snapshot();
        return { id: snapshots.add(() => snapshot), size: snapshot.size };
      },
    },
    {
      ...{
        method: 'POST',
        path: '/snapshots/{id}/restore',
        summary: 'Makes the objects equal to those of a snapshot.',
      },
      returns: {},
      run: ({ path: { id = '' } }) => controls.restore(snapshots.get(id)),
    },
    {
      ...{ method: 'DELETE', path: '/snapshots/{id}', summary: 'Forgets a snapshot.' },
      returns: {},
      run: ({ path: { id = '' } }) => snapshots.remove(id),
    },
    {
      ...{ method: 'GET', path: '/requests', summary: 'Returns the recorded requests that match, the oldest first.' },
      ...{ query: { ...match, status: 'integer' }, returns: 'requests' },
      run: ({ query }) => requests.list(matchOf(query)),
    },
    {
      ...{ method: 'GET', path: '/requests/wait', summary: 'Waits for requests that match, and returns the last.' },
      ...{ query: { ...match, status: 'integer', times: 'integer', timeout: 'integer' }, returns: 'object' },
      run: ({ query: { times, timeout, ...query } }) => {
        if (Number(timeout ?? 0) > longestWait)
          throw new OptionError(`requests.waitFor: timeout: give at most ${longestWait}`);
        return requests
          .waitFor(matchOf(query), {
            ...(times !== undefined && { times: Number(times) }),
            ...(timeout !== undefined && { timeout: Number(timeout) }),
          })
          .catch((error: Error) => {
            throw error instanceof OptionError ? error : new NotThere(error.message);
          });
      },
    },
    {
      ...{ method: 'DELETE', path: '/requests', summary: 'Forgets all recorded requests.' },
      returns: {},
      run: () => requests.clear(),
    },
    {
      ...{ method: 'POST', path: '/reset', summary: 'Returns to the state after the start, in everything.' },
      returns: {},
      run: async () => {
        rules.clear();
        await controls.reset();
      },
    },
    {
      ...{ method: 'POST', path: '/settled', summary: 'Returns when the controllers have nothing to do.' },
      returns: {},
      run: () => controls.settled(),
    },
  ];
}

const matchOf = ({ status, ...rest }: Asked['query']): RecordMatch => ({
  ...rest,
  ...(status !== undefined && { status: Number(status) }),
});

/** What requests made, by its id. The oldest goes when there are too many. */
class Kept<Thing> {
  readonly #all = new Map<string, Thing>();
  #count = 0;

  constructor(
    readonly what: string,
    readonly most: number,
    readonly end: (thing: Thing) => void = () => undefined,
  ) {}

  add(make: () => Thing): string {
    const thing = make();
    this.#count += 1;
    const id = String(this.#count);
    this.#all.set(id, thing);
    const [oldest] = this.#all.keys();
    if (this.#all.size > this.most && oldest !== undefined) this.remove(oldest);
    return id;
  }

  /** Throws NotThere for an unknown id. */
  get(id: string): Thing {
    const thing = this.#all.get(id);
    if (thing === undefined) throw new NotThere(`there is no ${this.what} ${id}`);
    return thing;
  }

  remove(id: string): void {
    this.end(this.get(id));
    this.#all.delete(id);
  }

  clear(): void {
    this.#all.clear();
  }
}

/** What a path names is not there. */
export class NotThere extends Error {}
