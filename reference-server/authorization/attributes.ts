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
  const segments = segmentsOf(pathname);
  const [root] = segments;
  const ofPath = () => ({ verb: method.toLowerCase(), path: decoded(pathname) });
  if (root !== 'api' && root !== 'apis') return ofPath();
  const group = root === 'api' ? '' : segments[1];
  let at = root === 'api' ? 2 : 3;
  const prefixed = segments[at] === 'watch' || segments[at] === 'proxy' ? segments[at] : undefined;
  if (prefixed !== undefined) at += 1;
  if (segments.length <= at) return ofPath();
  const isOfNamespace = segments[at] === 'namespaces';
  const namespace = isOfNamespace ? (segments[at + 1] ?? '') : '';
  if (isOfNamespace && segments.length > at + 2 && !ofNamespaces.includes(segments[at + 2] ?? '')) at += 2;
  const { [at]: resource = '', [at + 1]: name = '', [at + 2]: subresource = '' } = segments;
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

/** Returns the segments between the slashes at the start and the end. A namespace among them may be empty. */
function segmentsOf(pathname: string): string[] {
  const trimmed = pathname.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? [] : trimmed.split('/').map(decoded);
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
