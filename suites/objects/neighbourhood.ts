// The neighbours of an object: what a server may take for it, by a part of a name, of a namespace, or by its kind.
import { defined, type Resource, resourceId } from '../../matrix/api/index.js';
import { fail, isStill, Prerequisite } from '../client/expect.js';
import { at, isEnding, type JsonObject } from '../client/json.js';
import { byId } from './related.js';
import { type CreatedObject, groupLabel, type MakeOptions, type Sandbox } from './sandbox.js';
import { isUnchanged } from './unchanged.js';

/** The namespaces of a neighbourhood: one, another that its name is a prefix of, and a prefix of its name. */
export interface Places {
  readonly here: string;
  readonly longer: string;
  readonly shorter: string;
}

/** An object, and the neighbours that a write to it, or a list of its scope, must leave out. */
export interface Neighbourhood {
  readonly own: CreatedObject;
  /** By what the neighbour has in common with the object. */
  readonly neighbours: Readonly<Record<string, CreatedObject>>;
}

/** Creates the namespaces of neighbourhoods at the first use. */
export async function placesOf(sandbox: Sandbox): Promise<Places> {
  return {
    here: await sandbox.namespace('near'),
    longer: await sandbox.namespace('near-b'),
    shorter: await sandbox.namespace('nea'),
  };
}

/** Returns a name that begins with the given one, and has the form that the kind requires. */
export function extended(name: string): string {
  return name.replace(/(?=\.|$)/, '-b');
}

/**
 * Creates an object beside its neighbours: its namesakes in other namespaces, one of another kind, and an object whose
 * name begins with its name. Their label begins with the label of the object, or is the same with `sameLabel`. Throws
 * Failure if the server takes a neighbour for the object, and refuses it as one that exists.
 */
export async function makeNeighbourhood(
  sandbox: Sandbox,
  resource: Resource,
  { sameLabel, ...options }: MakeOptions & { readonly sameLabel?: true } = {},
): Promise<Neighbourhood> {
  const name = sandbox.name(resource);
  const label = sandbox.name();
  const near = sameLabel ? label : `${label}-b`;
  const make = (kind: Resource, as: string, of: string, namespace?: string): Promise<CreatedObject> =>
    sandbox.make(kind, { ...options, ...defined({ namespace }), name: as, labels: { [groupLabel]: of } });
  const beside = (kind: Resource, as: string, of: string, namespace?: string): Promise<CreatedObject> =>
    make(kind, as, of, namespace).catch((error: unknown) => {
      if (!(error instanceof Prerequisite) || !/ answered 409 /.test(error.message)) throw error;
      return fail(`beside ${[here, name].filter(Boolean).join('/')}: ${error.message}`);
    });
  const places = resource.namespaced ? await placesOf(sandbox) : undefined;
  const here = places?.here;
  const own = await make(resource, name, label, here);
  return {
    own,
    neighbours: {
      'whose name begins with its name': await beside(resource, extended(name), `${label}-b`, here),
      ...(places && {
        'of its name in another namespace': await beside(resource, name, near, places.longer),
        'of its name in a namespace with a shorter name': await beside(resource, name, near, places.shorter),
        ...(hasOther(sandbox, resource) && {
          'of its name and another kind': await beside(otherThan(resource), name, label, here),
        }),
      }),
    },
  };
}

const known = new WeakMap<Sandbox, Map<string, Promise<Neighbourhood>>>();

/** Returns the neighbourhood of a kind for checks that delete none of its objects, made at the first use. */
export function neighbourhoodOf(sandbox: Sandbox, resource: Resource): Promise<Neighbourhood> {
  const made = known.get(sandbox) ?? new Map<string, Promise<Neighbourhood>>();
  known.set(sandbox, made);
  const id = `${resource.groupVersion.version} ${resourceId(resource)}`;
  const objects = made.get(id) ?? makeNeighbourhood(sandbox, resource, { kept: true });
  made.set(id, objects);
  return objects;
}

/** A neighbour before and after a write, and what it has in common with the written object. */
export interface Beside {
  readonly what: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** Reads the neighbours, writes, and reads them again. */
export async function beside<T>(
  sandbox: Sandbox,
  { neighbours }: Neighbourhood,
  write: () => Promise<T>,
): Promise<{ readonly done: T; readonly beside: readonly Beside[] }> {
  const all = Object.entries(neighbours);
  const read = () => Promise.all(all.map(([, made]) => sandbox.current(made)));
  const before = await read();
  const done = await write();
  const after = await read();
  return { done, beside: all.map(([what], index) => ({ what, before: before[index], after: after[index] })) };
}

/** Throws Failure unless each neighbour is what it was, and is not being deleted. */
export function sparesNeighbours(neighbours: readonly Beside[], request: string): void {
  for (const { what, before, after } of neighbours) {
    const told = `${request}: the object ${what}`;
    if (before === undefined) throw new Prerequisite(`${told} could not be read before`);
    if (after === undefined) fail(`${told} is gone`);
    const uid = { before: at(before, 'metadata', 'uid'), after: at(after, 'metadata', 'uid') };
    isStill(uid, `${told}: metadata.uid`);
    if (isEnding(after) && !isEnding(before)) fail(`${told} is being deleted`);
    isUnchanged(before, after, told);
  }
}

const configMaps = byId('core/configmaps');
const secrets = byId('core/secrets');

/** Returns a kind whose objects no controller touches. */
const otherThan = (resource: Resource): Resource =>
  resourceId(resource) === resourceId(configMaps) ? secrets : configMaps;

function hasOther({ client }: Sandbox, resource: Resource): boolean {
  const lacking = ['group:core', `resource:${resourceId(otherThan(resource))}`];
  return !client.target.notSupported.some(({ capability }) => lacking.includes(capability));
}
