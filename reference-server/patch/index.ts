// The three patch types, one row for each media type.
import { mediaTypes } from '../../matrix/api/index.js';
import { type Type, typeOfKind } from '../../matrix/api/modern/index.js';
import type { DecodedBody } from '../codecs/codec.js';
import { FieldPaths } from '../codecs/fieldPaths.js';
import { badRequest, invalid, unsupportedMediaType } from '../errors.js';
import type { IsDisabled } from '../features/features.js';
import { decodeAndCheck, type Expected, repeatedFields, requireIntegers } from '../schema/body.js';
import type { FieldCheck } from '../schema/fieldValidation.js';
import { type DecodedObject, isRecord, type KubeObject } from '../schema/object.js';
import { unknownField } from '../schema/unknownFields.js';
import { StatusError } from '../statusError.js';
import { oneStep, type Steps } from '../turns.js';
import { jsonPatch } from './jsonPatch.js';
import { mergePatch } from './mergePatch.js';
import { strategicMerge } from './strategicMerge.js';

type Apply = (object: KubeObject, patch: unknown, type: Type | undefined, lacks: IsDisabled) => Steps<unknown>;

const patches: Readonly<Record<string, Apply>> = {
  // Real servers take null for a patch that changes nothing, but not as a merge patch.
  [mediaTypes.jsonPatch]: (object, patch) => jsonPatch(object, patch ?? []),
  [mediaTypes.mergePatch]: (object, patch) => oneStep(() => mergePatch(object, objectPatch(patch))),
  // The kind and apiVersion of the patch are not merged into the object.
  [mediaTypes.strategicMergePatch]: (object, patch, type, lacks) =>
    oneStep(() => {
      const { kind: _kind, apiVersion: _apiVersion, ...fields } = objectPatch(patch ?? {});
      return strategicMerge(object, fields, type, !lacks('strategic-directives'));
    }),
};

/** Needs the field table. */
const strategic: string = mediaTypes.strategicMergePatch;

/** A parsed patch that can be applied repeatedly. */
export interface Patch {
  apply(object: KubeObject): Steps<DecodedObject>;
  readonly isLong: boolean;
}

/**
 * Reads the patch of a request. The patched object is decoded and checked like any body. Throws 400 without a body, 415
 * for another media type.
 */
export function patchOf(
  body: DecodedBody | undefined,
  expected: Expected,
  lacks: IsDisabled,
  check?: FieldCheck,
): Patch {
  if (body === undefined) throw badRequest('a patch needs a body');
  const { mediaType, value } = body;
  const apply = Object.hasOwn(patches, mediaType) ? patches[mediaType] : undefined;
  if (apply === undefined) throw unsupportedMediaType(Object.keys(patches));
  const type = typeOfKind(expected.apiVersion, expected.kind);
  const mistakes = check === undefined ? [] : mistakesOf(body);
  const patched = (object: KubeObject, patch = value): Steps<unknown> => apply(object, patch, type, lacks);
  // A strategic merge reads the numbers of the patch before it makes an object of the type, and takes 3.0 for 3.
  const written = mediaType === strategic || expected.body !== undefined ? undefined : body.written?.();
  return {
    isLong: body.isLong === true,
    apply: (object) => decodePatched(patched, object, written, expected, check, mistakes),
  };
}

function* decodePatched(
  patched: (object: KubeObject, patch?: unknown) => Steps<unknown>,
  object: KubeObject,
  written: unknown,
  expected: Expected,
  check: FieldCheck | undefined,
  mistakes: readonly string[],
): Steps<DecodedObject> {
  const result = yield* patched(object);
  yield;
  try {
    const decoded = yield* decodeAndCheck(expected, result, check, { mistakes });
    if (written !== undefined) requireIntegers(expected, yield* patched(object, written));
    requireIdentity(expected, object, decoded);
    return decoded;
  } catch (error) {
    throw undecodable(expected, object, error);
  }
}

/** The members of an operation of a JSON patch (RFC 6902). */
const members: readonly string[] = ['op', 'path', 'from', 'value'];

/** Returns a sentence for each repeated field of a patch, and for each unknown member of an operation. */
function mistakesOf(body: DecodedBody): string[] {
  const repeated = repeatedFields(body);
  if (body.mediaType !== mediaTypes.jsonPatch || !Array.isArray(body.value)) return repeated;
  const unknown = new FieldPaths();
  unknown.enter(0);
  for (const operation of body.value) {
    unknown.enter('');
    for (const name of isRecord(operation) ? Object.keys(operation) : []) {
      unknown.goTo(name);
      if (!members.includes(name)) unknown.add();
    }
    unknown.leave();
    unknown.goOn();
  }
  return [...repeated, ...unknown.found.map(unknownField)].map((mistake) => `json patch ${mistake}`);
}

function objectPatch(patch: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(patch)) return patch;
  throw badRequest('a merge patch is an object');
}

function undecodable(expected: Expected, object: KubeObject, error: unknown): unknown {
  if (!(error instanceof StatusError) || error.code !== 400) return error;
  return refused(expected, object, 'patch', `Invalid value: ${error.message}`);
}

/**
 * Throws 422 if a patch changes the uid. A replace with another uid is a conflict, but a patch applies to the current
 * object.
 */
function requireIdentity(expected: Expected, object: KubeObject, { metadata: { uid } }: DecodedObject): void {
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
