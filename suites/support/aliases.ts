// Aliases: what a target serves under another version than the document names, and how paths and bodies get there and
// back. Only the cells of an aliased resource are translated: all others meet the target as it is.
import { apiVersionOf, groupVersions, type Operation } from '../../matrix/api/index.js';
import type { Alias } from '../../matrix/requirements/index.js';
import type { Call } from './calls.js';
import { isProtobuf, mediaTypeOf } from './decoders.js';
import { renameEvent, renameObject } from './protobuf/envelope.js';
import { Reply } from './reply.js';

/** The two names of a version in the bodies of one request and its answer. */
export interface Renaming {
  /** As the suite writes it. */
  readonly ours: string;
  /** As the target does. */
  readonly theirs: string;
}

/** Where a path of the suite is at the target. */
interface Place {
  readonly path: string;
  readonly renaming: Renaming;
}

/** The alias of the resource of an operation; undefined where it has none. */
export function aliasFor(
  aliases: readonly Alias[] | undefined,
  operation: Pick<Operation, 'resource'> | undefined,
): Alias | undefined {
  const { resource } = operation ?? {};
  if (aliases === undefined || resource === undefined) return undefined;
  const of = apiVersionOf(resource.groupVersion);
  return aliases.find((alias) => alias.groupVersion === of && alias.resource === resource.plural);
}

/** The path of a version: `/api/v1`, `/apis/apps/v1`. */
export const prefixOf = (version: string): string => (version.includes('/') ? `/apis/${version}` : `/api/${version}`);

/** The body of every scale but those of the document's own version. */
const scaleVersion = 'autoscaling/v1';

/** Where a path is at the target, for a cell whose resource is served as `current`; undefined where it is the same. */
export function placeOf(aliases: readonly Alias[], current: string, path: string): Place | undefined {
  const from = groupVersions.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  if (from === undefined) return undefined;
  const ours = apiVersionOf(from);
  const own = aliases.filter(({ groupVersion }) => groupVersion === ours);
  const rest = path.slice(from.prefix.length);
  if (rest === '' && own.length > 0) return { path: prefixOf(current), renaming: { ours, theirs: current } };
  const plural = /^\/(?:watch\/)?(?:namespaces\/[^/?]+\/)?([a-z]+)(?=[/?]|$)/.exec(rest)?.[1];
  const alias = own.find(({ resource }) => resource === plural);
  if (alias === undefined) return undefined;
  const theirs = /\/scale(\?|$)/.test(rest) ? scaleVersion : alias.to;
  return { path: prefixOf(alias.to) + rest, renaming: { ours, theirs } };
}

/** A call as it goes out: to the version in which the target serves what it is about, `current`, where it has another. */
export function placed<C extends Call>(
  call: C,
  aliases: readonly Alias[] = [],
  current: string | undefined,
): { readonly call: C; readonly renaming?: Renaming } {
  const place = current === undefined ? undefined : placeOf(aliases, current, call.path);
  if (place === undefined) return { call };
  const { path, renaming } = place;
  const body = call.body === undefined ? {} : { body: sentAs(call.body, renaming) };
  return { call: { ...call, path, ...body }, renaming };
}

/** A body as the target writes its version. One that is malformed on purpose stays so. */
export function sentAs(body: string | Uint8Array, { ours, theirs }: Renaming): string | Uint8Array {
  return typeof body === 'string' ? renameText(body, ours, theirs) : renameObject(body, ours, theirs);
}

/** A body of the target as the suite writes its version. */
export function seenAs(contentType: string | undefined, bytes: Buffer, { ours, theirs }: Renaming): Buffer {
  if (isProtobuf(contentType)) return Buffer.from(renameObject(bytes, theirs, ours));
  return /^application\/(json|yaml)$/.test(mediaTypeOf(contentType)) ? renameBytes(bytes, theirs, ours) : bytes;
}

/** An answer of the target as the suite writes its version. */
export function replySeenAs({ request, status, headers, bytes }: Reply, renaming: Renaming): Reply {
  return new Reply(request, status, headers, seenAs(headers['content-type'], bytes, renaming));
}

/** An event of a watch of the target as the suite writes its version. */
export function eventSeenAs(contentType: string | undefined, bytes: Buffer, { ours, theirs }: Renaming): Buffer {
  return isProtobuf(contentType) ? Buffer.from(renameEvent(bytes, theirs, ours)) : renameBytes(bytes, theirs, ours);
}

const renameBytes = (bytes: Buffer, from: string, to: string): Buffer =>
  Buffer.from(renameText(bytes.toString('latin1'), from, to), 'latin1');

// Text for text: what a body repeats, escapes or leaves open is the same afterwards.
function renameText(text: string, from: string, to: string): string {
  const version = from.replace(/[.]/g, '\\.');
  return text
    .replace(new RegExp(`("(?:apiVersion|groupVersion)"\\s*:\\s*)"${version}"`, 'g'), `$1"${to}"`)
    .replace(new RegExp(`^(\\s*(?:- )?(?:apiVersion|groupVersion): )(["']?)${version}\\2$`, 'gm'), `$1$2${to}$2`);
}
