// Aliases: resources that a target serves under another version than the document names. Translates paths and bodies in
// both directions. Only the cases of an aliased resource are translated.
import { apiVersionOf, groupVersions, type Operation, resources } from '../../matrix/api/index.js';
import type { Alias } from '../requirements/index.js';
import type { Call } from './calls.js';
import { isProtobuf, mediaTypeOf } from './decoders.js';
import { renameEvent, renameObject } from './protobuf/envelope.js';
import { Reply } from './reply.js';

/** The two names of a version in the bodies of one request and its response. */
export interface Renaming {
  /** The version as the suite writes it. */
  readonly ours: string;
  /** The version as the target writes it. */
  readonly theirs: string;
}

/** The path at the target that stands for a path of the suite. */
interface AliasedPath {
  readonly path: string;
  readonly renaming: Renaming;
}

/** Returns the alias of the resource of an operation; undefined if the resource has none. */
export function aliasFor(
  aliases: readonly Alias[] | undefined,
  operation: { readonly resource?: Operation['resource'] | undefined } | undefined,
): Alias | undefined {
  const { resource } = operation ?? {};
  if (aliases === undefined || resource === undefined) return undefined;
  const of = apiVersionOf(resource.groupVersion);
  return aliases.find((alias) => alias.groupVersion === of && alias.resource === resource.plural);
}

/** A rule that a later version need not share with the document's, on all subjects or on some, and why. */
interface Unshared {
  readonly requirement: string;
  readonly subject?: RegExp;
  readonly why: string;
}

const scale = /\/scale\b/;
const otherScale = 'its Scale is of autoscaling/v1, whose selector is a text';

const unshared: readonly Unshared[] = [
  { requirement: 'subresources.scale-version', why: otherScale },
  { requirement: 'subresources.scale-observed', why: otherScale },
  { requirement: 'responses.body-decodes', subject: scale, why: otherScale },
  { requirement: 'responses.body-kind', subject: scale, why: otherScale },
  { requirement: 'responses.body-fields', subject: scale, why: otherScale },
  { requirement: 'responses.body-schema', subject: scale, why: otherScale },
  { requirement: 'protobuf.envelope', subject: scale, why: otherScale },
  { requirement: 'protobuf.same-object', subject: scale, why: otherScale },
  {
    requirement: 'subresources.scale-other-version',
    why: 'a server may accept a Scale in each version that it knows',
  },
  {
    requirement: 'selectors.field-of-kind',
    subject: /\/replicasets,/,
    why: 'its objects are selected by name and namespace only',
  },
  {
    requirement: 'deleteOptions.dependents-default',
    subject: /\/replicasets\//,
    why: 'without a policy it deletes the dependents',
  },
  { requirement: 'validation.defaults', why: 'it demands a selector, and has defaults of its own' },
];

/** Returns why a case is not asked of a resource under an alias; undefined if the two versions share the rule. */
export function unsharedBy({ to }: Alias, requirement: string, subject: string): string | undefined {
  const found = unshared.find((row) => row.requirement === requirement && (row.subject?.test(subject) ?? true));
  return found && `not shared by ${to}: ${found.why}`;
}

/** Returns the version in which a target serves a kind of the document: that of its alias, if it has one. */
export function servedVersion(aliases: readonly Alias[] | undefined, version: string, kind: string): string {
  const resource = resources.find((one) => one.kind === kind && apiVersionOf(one.groupVersion) === version);
  return aliasFor(aliases, { resource })?.to ?? version;
}

/** Returns the path of a version: `/api/v1`, `/apis/apps/v1`. */
export const prefixOf = (version: string): string => (version.includes('/') ? `/apis/${version}` : `/api/${version}`);

/** The version of the body of every scale, except for scales in the document's own version. */
const scaleVersion = 'autoscaling/v1';

/** Returns the path at the target for a case whose resource is served as `current`; undefined if it is the same. */
export function placeOf(aliases: readonly Alias[], current: string, path: string): AliasedPath | undefined {
  const from = groupVersions.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  if (from === undefined) return undefined;
  const ownVersion = apiVersionOf(from);
  const own = aliases.filter(({ groupVersion }) => groupVersion === ownVersion);
  const rest = path.slice(from.prefix.length);
  if (rest === '' && own.length > 0)
    return { path: prefixOf(current), renaming: { ours: ownVersion, theirs: current } };
  const plural = /^\/(?:watch\/)?(?:namespaces\/[^/?]+\/)?([a-z]+)(?=[/?]|$)/.exec(rest)?.[1];
  const alias = own.find(({ resource }) => resource === plural);
  if (alias === undefined) return undefined;
  const aliasVersion = /\/scale(\?|$)/.test(rest) ? scaleVersion : alias.to;
  return { path: prefixOf(alias.to) + rest, renaming: { ours: ownVersion, theirs: aliasVersion } };
}

/** Returns a call as it is sent: under the version `current` if the target has an alias for the resource. */
export function aliasedCall<C extends Call>(
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

/** Returns a request body in the target's version. A body that is malformed on purpose stays malformed. */
export function sentAs(
  body: string | Uint8Array,
  { ours: ownVersion, theirs: aliasVersion }: Renaming,
): string | Uint8Array {
  return typeof body === 'string'
    ? renameText(body, ownVersion, aliasVersion)
    : renameObject(body, ownVersion, aliasVersion);
}

/** Returns a response body in the suite's version. */
export function seenAs(
  contentType: string | undefined,
  bytes: Buffer,
  { ours: ownVersion, theirs: aliasVersion }: Renaming,
): Buffer {
  if (isProtobuf(contentType)) return Buffer.from(renameObject(bytes, aliasVersion, ownVersion));
  return /^application\/(json|yaml)$/.test(mediaTypeOf(contentType))
    ? renameBytes(bytes, aliasVersion, ownVersion)
    : bytes;
}

/** Returns a response in the suite's version. */
export function replySeenAs({ request, status, headers, bytes }: Reply, renaming: Renaming): Reply {
  return new Reply(request, status, headers, seenAs(headers['content-type'], bytes, renaming));
}

/** Returns a watch event in the suite's version. */
export function eventSeenAs(
  contentType: string | undefined,
  bytes: Buffer,
  { ours: ownVersion, theirs: aliasVersion }: Renaming,
): Buffer {
  return isProtobuf(contentType)
    ? Buffer.from(renameEvent(bytes, aliasVersion, ownVersion))
    : renameBytes(bytes, aliasVersion, ownVersion);
}

const renameBytes = (bytes: Buffer, from: string, to: string): Buffer =>
  Buffer.from(renameText(bytes.toString('latin1'), from, to), 'latin1');

// Replaces text, not decoded values: duplicate keys, escapes and unclosed parts of a body stay as they are.
function renameText(text: string, from: string, to: string): string {
  const version = from.replace(/[.]/g, '\\.');
  return text
    .replace(new RegExp(`("(?:apiVersion|groupVersion)"\\s*:\\s*)"${version}"`, 'g'), `$1"${to}"`)
    .replace(new RegExp(`^(\\s*(?:- )?(?:apiVersion|groupVersion): )(["']?)${version}\\2$`, 'gm'), `$1$2${to}$2`);
}
