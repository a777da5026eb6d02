// Patches of the type `application/apply-patch+yaml`: server-side apply.

import { apiVersionOf, applyPatchType, type Resource } from '../../../matrix/api/index.js';
import { type Codec, decodeBytes } from '../../codecs/codec.js';
import { json } from '../../codecs/json.js';
import { badRequest, conflict } from '../../errors.js';
import type { Store, WriteOptions } from '../../registry/store.js';
import type { Part } from '../../registry/strategy.js';
import { requireName } from '../../registry/update.js';
import { type Answer, type ApiRequest, objectKeyOf, resourceOf } from '../../request.js';
import { repeatedFields, strictly } from '../../schema/body.js';
import { fieldCheckOf } from '../../schema/fieldValidation.js';
import { kindInGo } from '../../schema/goText.js';
import { type DecodedObject, isRecord, type ObjectKey, part as partOf } from '../../schema/object.js';
import { runTimeKindOf } from '../../schema/runTimeKind.js';
import { typeName } from '../../schema/scalars.js';
import { StatusError } from '../../statusError.js';
import type { Entry } from '../../storage/storage.js';
import { doInTurns } from '../../turns.js';
import { type Dependencies, requireRightToCreate, storeOf, writeOptionsOf, written } from '../../verbs/context.js';
import type { PatchType } from '../../verbs/index.js';
import { scaleIn, scaleKind, scaleNotFound, scalePart, withValueAt } from '../../verbs/scale.js';
import { type ApplyRequest, applyChange } from './change.js';
import { isForced } from './manager.js';

/**
 * Returns what a request applies, and who applies it. Throws 400 for a body that is not an object, and for repeated fields
 * if the request asks for that.
 */
function applyOf(request: ApiRequest, { manager }: WriteOptions): ApplyRequest {
  if (manager === undefined) throw new Error('applies need the managers of fields');
  const check = fieldCheckOf(request);
  const { body } = request;
  if (body === undefined) throw badRequest('an apply needs a body');
  const config = body.value ?? {};
  if (!isRecord(config)) throw badRequest(`error decoding YAML: an object is expected, not ${typeName(config)}`);
  const { duplicates = [] } = body;
  if (check?.isStrict === true && duplicates.length > 0) {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${strictly(duplicates, [])}`);
  }
  for (const mistake of check === undefined ? [] : repeatedFields(body)) check?.warn(mistake);
  return { config, manager, force: isForced(request), isLong: body.isLong === true };
}

export const applyPatch: PatchType = {
  mediaType: applyPatchType,
  codecOf: configurationCodec,
  patch(request, dependencies, part) {
    const store = storeOf(request, dependencies);
    if (!store.isApplicable) return undefined;
    return part === 'scale' ? applyScale(request, store, dependencies) : applyPart(request, store, part, dependencies);
  },
};

async function applyPart(request: ApiRequest, store: Store, part: Part, dependencies: Dependencies): Promise<Answer> {
  const options = { ...writeOptionsOf(request, dependencies, part), part };
  const apply = applyOf(request, options);
  const requireCreate = () => requireRightToCreate(request, dependencies);
  const { entry, isNew } = await applied(store, objectKeyOf(request), apply, options, requireCreate);
  return { ...written(request, entry, dependencies), status: isNew ? 201 : 200 };
}

/** Applies a Scale: its replicas are those of the object. */
async function applyScale(request: ApiRequest, store: Store, dependencies: Dependencies): Promise<Answer> {
  const resource = resourceOf(request);
  const expected = scaleKind(request);
  const options = { ...writeOptionsOf(request, dependencies, 'scale'), shown: scalePart(request) };
  const { config, ...apply } = applyOf(request, options);
  const { apiVersion = '', kind = '', metadata } = config;
  if (apiVersion !== expected.apiVersion || kind !== expected.kind) {
    throw badRequest(`invalid object type: ${kindInGo(apiVersion, kind)}`);
  }
  const { replicas } = partOf<{ replicas?: unknown }>(config, 'spec');
  const path = runTimeKindOf(resource)?.scale?.replicas ?? ['spec', 'replicas'];
  const scaled = {
    apiVersion: apiVersionOf(resource.groupVersion),
    kind: resource.kind,
    metadata,
    ...(replicas !== undefined && withValueAt({}, path, replicas)),
  };
  const write = applied(store, objectKeyOf(request), { ...apply, config: scaled }, options);
  return scaleIn(request, (await write.catch(scaleNotFound(request))).entry);
}

/** The most attempts to create an object that other clients create and delete meanwhile. */
const mostAttempts = 8;

/**
 * Applies a configuration for a client. Creates the object if it is absent, except for a part of it. Throws 404 if a
 * part is applied to an absent object, 409 for a conflict, and the errors of the stages.
 */
async function applied(
  store: Store,
  key: ObjectKey,
  request: ApplyRequest,
  { part = 'main', ...given }: WriteOptions & { readonly part?: Part },
  requireCreate?: () => void,
): Promise<{ readonly entry: Entry; readonly isNew: boolean }> {
  const change = applyChange(store.context, part, request, store.parts.now);
  const options = { ...given, part, manager: request.manager, applies: true };
  for (let attempt = 1; ; attempt++) {
    try {
      return { entry: await store.update(key, change, options), isNew: false };
    } catch (error) {
      const isAbsent = error instanceof StatusError && error.code === 404;
      if (!isAbsent || part !== 'main' || request.manager.subresource !== undefined) throw error;
    }
    try {
      requireCreate?.();
      const object = await doInTurns(change.apply({ metadata: {} }));
      const entry = await store.create(key.namespace, creatable(store.resource, key, object), options);
      return { entry, isNew: true };
    } catch (error) {
      // Another client was faster.
      const again = error instanceof StatusError && error.reason === 'AlreadyExists';
      if (!again || attempt === mostAttempts) throw error;
    }
  }
}

/** Throws unless a configuration can create the object that the request names. */
function creatable(
  resource: Resource,
  { namespace, name }: ObjectKey,
  { metadata, ...fields }: DecodedObject,
): DecodedObject {
  requireName(metadata, name);
  if (resource.namespaced && metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const { uid, resourceVersion: _any, ...others } = metadata;
  if (uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resource, name, why);
  }
  return { ...fields, metadata: others };
}

/** The codec of configurations to apply: YAML, and JSON, which is YAML that is read faster. */
function configurationCodec(yaml: Codec): Codec {
  return {
    ...yaml,
    mediaType: applyPatchType,
    allowsDuplicates: true,
    decode(bytes, expected, duplicates) {
      if (bytes[0] !== openingBrace) return yaml.decode(bytes, expected, duplicates);
      try {
        return json.decode(bytes, expected, duplicates);
      } catch {
        // A flow mapping of YAML begins like an object of JSON.
        return yaml.decode(bytes, expected, duplicates);
      }
    },
    async decodeInTurns(bytes, expected, duplicates) {
      if (bytes[0] !== openingBrace) return decodeBytes(yaml, bytes, expected, duplicates);
      return decodeBytes(json, bytes, expected, duplicates).catch(() => decodeBytes(yaml, bytes, expected, duplicates));
    },
  };
}

const openingBrace = 0x7b;
