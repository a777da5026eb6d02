// The three patches, a row each by media type.
import { mediaTypes } from '../../matrix/api/index.js';
import { type Type, typeOfKind } from '../../matrix/api/types/index.js';
import { badRequest, invalid, StatusError, unsupportedMediaType } from '../errors.js';
import type { Lacks } from '../features/features.js';
import type { DecodedBody } from '../request.js';
import { decodeInTurns, decodeObject, type Expected } from '../schema/body.js';
import { type Draft, isRecord, type KubeObject } from '../schema/object.js';
import { doAll, doInTurns } from '../turns.js';
import { jsonPatchSteps } from './jsonPatch.js';
import { mergePatch } from './mergePatch.js';
import { strategicMerge } from './strategicMerge.js';

type Apply = (object: KubeObject, patch: unknown, type: Type | undefined, lacks: Lacks) => Generator<void, unknown>;

const patches: Readonly<Record<string, Apply>> = {
  [mediaTypes.jsonPatch]: jsonPatchSteps,
  [mediaTypes.mergePatch]: (object, patch) => oneStep(() => mergePatch(object, objectPatch(patch))),
  // What the patch says of its own kind is not part of the object that it merges into.
  [mediaTypes.strategicMergePatch]: (object, patch, type, lacks) =>
    oneStep(() => {
      const { kind: _kind, apiVersion: _apiVersion, ...fields } = objectPatch(patch);
      return strategicMerge(object, fields, type, !lacks('strategic-directives'));
    }),
};

function* oneStep(step: () => unknown): Generator<void, unknown> {
  yield;
  return step();
}

/** A patch that can be applied, again and again, to whatever is there: at once, or in turns with other requests. */
export interface Patch {
  now(object: KubeObject): Draft;
  inTurns(object: KubeObject): Promise<Draft>;
  readonly isLong: boolean;
}

/** Reads the patch of a request. What it makes of an object is decoded like any body. */
export function patchOf(body: DecodedBody | undefined, expected: Expected, lacks: Lacks): Patch {
  if (body === undefined) throw badRequest('a patch needs a body');
  const { mediaType, value } = body;
  const apply = Object.hasOwn(patches, mediaType) ? patches[mediaType] : undefined;
  if (apply === undefined) throw unsupportedMediaType(Object.keys(patches));
  const type = typeOfKind(expected.apiVersion, expected.kind);
  const steps = (object: KubeObject) => apply(object, value, type, lacks);
  const identified = (object: KubeObject, draft: Draft): Draft => {
    requireIdentity(expected, object, draft);
    return draft;
  };
  return {
    isLong: body.isLong === true,
    now(object) {
      const patched = doAll(steps(object));
      try {
        return identified(object, decodeObject(expected, patched));
      } catch (error) {
        throw undecodable(expected, object, error);
      }
    },
    async inTurns(object) {
      const patched = await doInTurns(steps(object));
      try {
        return identified(object, await decodeInTurns(expected, patched));
      } catch (error) {
        throw undecodable(expected, object, error);
      }
    },
  };
}

function objectPatch(patch: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(patch)) return patch;
  throw badRequest('a merge patch is an object');
}

function undecodable(expected: Expected, object: KubeObject, error: unknown): unknown {
  if (!(error instanceof StatusError) || error.code !== 400) return error;
  return refused(expected, object, 'patch', `Invalid value: ${error.message}`);
}

/** Unlike a replace, a patch has seen the object: another uid is no mistake about which one is meant. */
function requireIdentity(expected: Expected, object: KubeObject, { metadata: { uid } }: Draft): void {
  if (!uid || uid === object.metadata.uid) return;
  throw refused(expected, object, 'metadata.uid', `Invalid value: ${JSON.stringify(uid)}: field is immutable`);
}

function refused(
  { apiVersion, kind }: Expected,
  { metadata }: KubeObject,
  field: string,
  message: string,
): StatusError {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  return invalid({ group, kind }, metadata.name ?? '', [{ reason: 'FieldValueInvalid', message, field }]);
}
