// The ways in which a server loses somebody's objects, each a row.
import type { Danger } from './proxy.js';

const root = /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)/.source;
const object = new RegExp(`${root}(/namespaces/[^/]+)?/([a-z]+)/([^/?]+)(\\?.*)?$`);
const collection = new RegExp(`${root}/namespaces/([^/]+)/([a-z]+)(\\?.*)?$`);

/** Deletes every object of a kind in the namespace, or in the cluster, when one of them is to be deleted. */
const namesIgnored: Danger = async ({ method, path }, listNames) => {
  const [, prefix = '', namespace = '', plural = ''] = object.exec(path) ?? [];
  if (method !== 'DELETE' || plural === '') return [path];
  const names = await listNames(`${prefix}${namespace}/${plural}`);
  return names.map((name) => `${prefix}${namespace}/${plural}/${name}`);
};

/** Deletes a whole collection whatever is selected. */
const selectorsIgnored =
  (...methods: readonly string[]): Danger =>
  async ({ method, path }) => [methods.includes(method) ? path.replace(/(label|field)Selector=[^&]*/g, '') : path];

/** Takes a namespace's collection for that of all namespaces, in deletes or in lists too. */
const namespacesIgnored =
  (...methods: readonly string[]): Danger =>
  async ({ method, path }, listNames) => {
    const [, prefix = '', , plural = '', query = ''] = collection.exec(path) ?? [];
    if (!methods.includes(method) || plural === '') return [path];
    if (method === 'GET') return [`${prefix}/${plural}${query}`];
    const namespaces = await listNames(`${prefix}/${plural}`, 'namespace');
    return namespaces.map((namespace) => `${prefix}/namespaces/${namespace}/${plural}${query}`);
  };

/** Two ways at once: what is left of the second is what the first makes of it. */
const both =
  (one: Danger, other: Danger): Danger =>
  async ({ method, path }, listNames) => {
    const paths = await one({ method, path }, listNames);
    return (await Promise.all(paths.map((each) => other({ method, path: each }, listNames)))).flat();
  };

/** What a run against such a server is made with, and what it says. */
interface Expected {
  /** Whether it lets everybody in. */
  readonly open?: true;
  readonly grep: string;
  readonly says: RegExp;
}

const deletes = 'DELETE /api/v1/n';
const tooMuch = /deletes are not sent, because the target deletes too much/;
const everything = both(namespacesIgnored('DELETE', 'GET'), selectorsIgnored('DELETE', 'GET'));

/** Servers that are wrong in one way or in several. */
export const dangers: readonly (readonly [name: string, danger: Danger | undefined, expected: Expected])[] = [
  ['ignores names on delete', namesIgnored, { grep: deletes, says: tooMuch }],
  ['ignores selectors on delete-collection', selectorsIgnored('DELETE'), { grep: deletes, says: tooMuch }],
  ['ignores the namespace of a delete-collection', namespacesIgnored('DELETE'), { grep: deletes, says: tooMuch }],
  ['ignores every namespace', namespacesIgnored('DELETE', 'GET'), { grep: deletes, says: tooMuch }],
  ['ignores namespaces and selectors', everything, { grep: deletes, says: tooMuch }],
  ['lets everybody in', undefined, { open: true, grep: 'errors.unauthenticated', says: /accepted, with [24]/ }],
  [
    'lets everybody in and ignores selectors',
    selectorsIgnored('DELETE'),
    { open: true, grep: 'authentication.refused', says: /accepted, with 200/ },
  ],
];
