// Server-side apply as a change of an object.

import type { Resource } from '../../../matrix/api/index.js';
import { badRequest } from '../../errors.js';
import type { Manager } from '../../registry/fields.js';
import { timestamp } from '../../registry/metadata.js';
import type { Part } from '../../registry/strategy.js';
import type { ObjectChange, WriteContext } from '../../registry/writing.js';
import { decodeObject, type Expected, expectedOf } from '../../schema/body.js';
import { kindInGo } from '../../schema/goText.js';
import { type DecodedObject, isRecord, type KubeObject, type ObjectMeta } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { kindConversionOf } from '../../versions/kindConversions.js';
import { toStorageVersion, toVersion } from '../../versions/views.js';
import { type Applied, applied, type Config } from './apply.js';

import { converted, resourceIn, versionOf } from './kinds.js';

import { keyOfManager } from './tracking.js';

/** A configuration to apply, and who applies it. */
export interface ApplyRequest {
  readonly config: Config;
  readonly manager: Manager;
  /** Whether fields of other managers may change. */
  readonly force: boolean;
  /** Whether the configuration is long, and so handled in turns. */
  readonly isLong: boolean;
}

/**
 * Returns the change that applies a configuration, for the current object or a new one. The result has its
 * managedFields. Throws 400 for a configuration of another kind, or with managedFields, and like `applied`.
 */
export function applyChange(context: WriteContext, part: Part, request: ApplyRequest, now: () => Date): ObjectChange {
  const { resource } = context;
  const expected = expectedOf(resource);
  requireKind(expected, request.config);
  return {
    isLong: request.isLong,
    apply(current) {
      const isNew = current.metadata.uid === undefined;
      const live = isNew ? {} : { live: current };
      return decodeApplied(expected, application(context, part, request, { now: now(), ...live }));
    },
  };
}

function* decodeApplied(expected: Expected, applying: Steps<Applied>): Steps<DecodedObject> {
  const { object, managedFields } = yield* applying;
  return withManaged(yield* decodeObject(expected, withoutManaged(object), true), managedFields);
}

function requireKind({ apiVersion, kind }: Expected, config: Config): void {
  const own = { apiVersion: config.apiVersion ?? '', kind: config.kind ?? '' };
  if (own.apiVersion !== apiVersion || own.kind !== kind) {
    const [given, wanted] = [kindInGo(own.apiVersion, own.kind), kindInGo(apiVersion, kind)];
    throw badRequest(`invalid object type: ${given}; expected ${wanted}`);
  }
  const { metadata } = config;
  if (isRecord(metadata) && (metadata.managedFields ?? undefined) !== undefined) {
    throw badRequest('metadata.managedFields must be nil');
  }
}

function application(
  context: WriteContext,
  part: Part,
  { config, manager, force }: ApplyRequest,
  { live, now }: { readonly live?: KubeObject; readonly now: Date },
): Steps<Applied> {
  const { resource } = context;
  const version = versionOf(resource, part, context);
  if (version === undefined) throw new Error(`${resource.plural} has no shape`);
  return applied({
    version,
    ...(live !== undefined && { live }),
    config,
    manager: keyOfManager(manager, 'Apply', version.apiVersion),
    force,
    now: timestamp(now),
    *inVersion(applied, apiVersion) {
      const other = resourceIn(context, apiVersion);
      const shown = other && versionOf(other, part, context);
      if (other === undefined || shown === undefined) return undefined;
      const stored = (object: DecodedObject | KubeObject) =>
        toStorageVersion(resource, object as DecodedObject) as KubeObject;
      const before = live && stored(live);
      const after = stored(yield* decodeObject(expectedOf(resource), withoutManaged(applied)));
      yield* converted(other, before === undefined ? [after] : [before, after]);
      return {
        version: shown,
        ...(before !== undefined && { before: toVersion(other, before) }),
        after: toVersion(other, after),
      };
    },
    otherNames(apiVersion) {
      const other = resourceIn(context, apiVersion);
      const shown = other && versionOf(other, part, context);
      if (kindConversionOf(resource) === undefined || other === undefined || shown === undefined) return undefined;
      const to = (into: Resource) =>
        function* (object: KubeObject) {
          const [made = object] = yield* converted(into, [object], true);
          return made;
        };
      return { version: shown, there: to(other), back: to(resource) };
    },
  });
}

/** The entries of an object are known to be good: they need no decoding. */
function withoutManaged(object: KubeObject): KubeObject {
  const { managedFields: _managed, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const withManaged = (object: DecodedObject, managedFields: ObjectMeta['managedFields']): DecodedObject => ({
  ...object,
  metadata: { ...object.metadata, ...(managedFields !== undefined && { managedFields }) },
});
