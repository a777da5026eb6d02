// The attributes of a request for authorization, from its method and path.
import type { ResourceAttributes } from '../errors.js';
import { isSet } from '../query/parameters.js';
import { demandedName } from '../selectors/fields.js';

/** The attributes of a path that is not a resource path, such as `/version`. */
interface PathAttributes {
  readonly verb: string;
  readonly path: string;
}

export type Attributes = PathAttributes | ResourceAttributes;

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
/** Subresources of namespaces; no resource has one of these names. */
const ofNamespaces = ['status', 'finalize'];

/** Reads the attributes of a request. The query can turn a list into a watch, and select the object of a name. */
export function attributesOf(method: string, pathname: string, query: URLSearchParams): Attributes {
  const path = { verb: method.toLowerCase(), path: decoded(pathname) };
  const [root = '', ...segments] = pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
  if (root !== 'api' && root !== 'apis') return path;
  const [group, ...rest] = root === 'api' ? ['', ...segments.slice(1)] : [segments[0] ?? '', ...segments.slice(2)];
  const prefixed = rest[0] === 'watch' || rest[0] === 'proxy' ? rest[0] : undefined;
  const [first, ...others] = prefixed === undefined ? rest : rest.slice(1);
  if (first === undefined) return path;
  const scoped = first === 'namespaces' && others.length > 1 && !ofNamespaces.includes(others[1] ?? '');
  const namespace = first === 'namespaces' ? (others[0] ?? '') : '';
  const [resource = '', name = '', subresource = ''] = scoped ? others.slice(1) : [first, ...others];
  const plain = verbs[method] ?? '';
  const verb = prefixed ?? verbOf(plain, name, isSet(query.get('watch')));
  // The rest of the path belongs to the proxied backend.
  const below = prefixed === 'proxy' ? '' : subresource;
  // A role can grant an object by its name to lists and watches, too.
  const selects = name === '' && (verb === 'list' || verb === 'watch');
  const asked = selects ? demandedName(query.get('fieldSelector') ?? '') : name;
  return { verb, group: group ?? '', resource, subresource: below, namespace, name: asked ?? '' };
}

function verbOf(verb: string, name: string, isWatch: boolean): string {
  if (name !== '') return verb;
  if (verb === 'get') return isWatch ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
