// Servers that delete or write more than the request says, one row each.
import type { Danger } from './dangerousServer.js';

const root = /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)/.source;
const object = new RegExp(`${root}(/namespaces/[^/]+)?/([a-z]+)/([^/?]+)(\\?.*)?$`);
const collection = new RegExp(`${root}/namespaces/([^/]+)/([a-z]+)(\\?.*)?$`);

/** Deletes every object of a kind in the namespace, or in the cluster, instead of one object. */
const namesIgnored: Danger = async ({ method, path }, listNames) => {
  const [, prefix = '', namespace = '', plural = ''] = object.exec(path) ?? [];
  if (method !== 'DELETE' || plural === '') return [path];
  const names = await listNames(`${prefix}${namespace}/${plural}`);
  return names.map((name) => `${prefix}${namespace}/${plural}/${name}`);
};

/** Deletes a whole collection for any selector. */
const selectorsIgnored =
  (...methods: readonly string[]): Danger =>
  async ({ method, path }) => [methods.includes(method) ? path.replace(/(label|field)Selector=[^&]*/g, '') : path];

/** Treats the collection of a namespace as the collection of all namespaces, in deletes and optionally in lists. */
const namespacesIgnored =
  (...methods: readonly string[]): Danger =>
  async ({ method, path }, listNames) => {
    const [, prefix = '', , plural = '', query = ''] = collection.exec(path) ?? [];
    if (!methods.includes(method) || plural === '') return [path];
    if (method === 'GET') return [`${prefix}/${plural}${query}`];
    const namespaces = await listNames(`${prefix}/${plural}`, 'namespace');
    return namespaces.map((namespace) => `${prefix}/namespaces/${namespace}/${plural}${query}`);
  };

/** Combines two dangers: the second widens the requests of the first. */
const both =
  (one: Danger, other: Danger): Danger =>
  async ({ method, path }, listNames) => {
    const paths = await one({ method, path }, listNames);
    return (await Promise.all(paths.map((each) => other({ method, path: each }, listNames)))).flat();
  };

/** The options and the output of a run against such a server. */
interface Expected {
  /** Whether the server accepts all users. */
  readonly open?: true;
  readonly grep: string;
  /** The options that name the kinds, if not all. */
  readonly kinds?: readonly string[];
  readonly says: RegExp;
}

/** Every requirement that deletes objects of the kinds that exist before the run, and says what the run then does. */
const deletes = {
  grep: 'DELETE /api/v1/n',
  kinds: ['--kinds', 'nodes,namespaces,configmaps,secrets,pods,services,serviceaccounts'],
  says: /deletes are not sent, because the target deletes too much/,
};
const everything = both(namespacesIgnored('DELETE', 'GET'), selectorsIgnored('DELETE', 'GET'));

/** Servers with one danger or several. */
export const dangers: readonly (readonly [name: string, danger: Danger | undefined, expected: Expected])[] = [
  ['ignores names on delete', namesIgnored, deletes],
  ['ignores selectors on delete-collection', selectorsIgnored('DELETE'), deletes],
  ['ignores the namespace of a delete-collection', namespacesIgnored('DELETE'), deletes],
  ['ignores every namespace', namespacesIgnored('DELETE', 'GET'), deletes],
  ['ignores namespaces and selectors', everything, deletes],
  ['accepts all users', undefined, { open: true, grep: 'errors.unauthenticated', says: /accepted, with [24]/ }],
  [
    'accepts all users and ignores selectors',
    selectorsIgnored('DELETE'),
    { open: true, grep: 'authentication.refused', says: /accepted, with 200/ },
  ],
];
