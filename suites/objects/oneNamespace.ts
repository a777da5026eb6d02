// Runs of a user who may use one namespace only: what is sent there, so that its existing objects stay as they are.
import type { Operation } from '../../matrix/api/index.js';
import type { Call } from '../client/calls.js';
import { Unchecked } from '../client/expect.js';
import type { Target } from '../requirements/index.js';

/** The start of the reason of every case that is not sent. */
const more = 'needs more than the namespace';

/** The keys of namespaces that may be the same one. Under any other key, a case needs a namespace of its own. */
const shared = new Set(['main', 'lists', 'space', 'here', 'accounts', 'account-credentials', 'pod-accounts']);

/** The kinds whose objects bind the objects of others in their namespace. */
export const binding: ReadonlySet<string> = new Set(['resourcequotas', 'limitranges', 'networkpolicies']);

/** The start of the names of all runs. */
const ofRuns = /^kac-[0-9a-f]{6}-/;
const namesRun = /kac-[0-9a-f]{6}-/;

/** Returns the only namespace in place of that of a key; undefined if the run makes its own. Throws Unchecked. */
export function onlyNamespace({ only }: Target, key: string): string | undefined {
  if (only === undefined || shared.has(key)) return only?.namespace;
  throw new Unchecked('skipped', `${more}: a namespace of its own`, 'not-safe');
}

/** Returns why an operation is not sent; undefined if the user of the only namespace may send it, or has no limit. */
export function beyondNamespace({ only }: Target, operation: Operation | undefined): string | undefined {
  if (only === undefined || operation?.resource === undefined) return undefined;
  const { resource, path, verb, id } = operation;
  if (!resource.namespaced || !path.includes('/{namespace}/')) return `${more}: it is about the whole cluster`;
  // No review tells whether the user may use these paths.
  if (/^\/api\/[^/]+\/proxy\//.test(path)) return `${more}: the permission for legacy proxy paths`;
  if (verb === 'deleteCollection') return `${more}: a delete-collection could delete what is there already`;
  if (binding.has(resource.plural)) return `${more}: ${resource.plural} bind the objects that are there already`;
  const forbidden = only.forbidden?.[id];
  return forbidden === undefined ? undefined : `${more}: the user may not ${forbidden}`;
}

/**
 * Returns a function that throws Unchecked for every write outside of the only namespace, of its kinds that bind others,
 * and of objects that no run has named.
 */
export function namespaceGuard({ only }: Target): (call: Call) => void {
  return ({ method, path, body }) => {
    if (only === undefined || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return;
    const [place = ''] = path.split('?');
    // Nothing of a review is stored.
    if (/^\/apis\/auth[a-z]+\.[^/]+\/[^/]+\/[a-z]+reviews$/.test(place)) return;
    const inside = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?/.exec(place);
    const [, namespace = '', plural = '', name] = inside ?? [];
    // Without a permission for such a write, the response is 403 and not 405.
    if (/\/pods\/[^/]+\/log$/.test(place)) throw new Unchecked('skipped', `${more}: ${method} of a log`, 'not-safe');
    const isNamed = name === undefined ? method === 'POST' && namesRun.test(textOf(body)) : ofRuns.test(name);
    if (decodeURIComponent(namespace) === only.namespace && !binding.has(plural) && isNamed) return;
    throw new Unchecked('skipped', `${more}: ${method} ${place}`, 'not-safe');
  };
}

const textOf = (body: Call['body']): string =>
  body === undefined ? '' : typeof body === 'string' ? body : Buffer.from(body).toString('latin1');
