// The parts of valid calls: their type, the path of an object, and the checks of their effects.
import type { Operation, Resource } from '../../matrix/api/index.js';
import { Failure, holds } from '../client/expect.js';
import { type JsonObject, merge, missing } from '../client/json.js';
import { fill } from '../client/paths.js';
import { whenControlled } from './controllers.js';
import { findEarlierState } from './overwritten.js';
import { longText } from './samples/values.js';
import type { CreatedObject, Sandbox } from './sandbox.js';

/** A call that a conforming server answers with success. */
export interface ValidCall {
  readonly method: string;
  readonly path: string;
  /** The path with a selector for the object of the call, if the call is a list. */
  readonly selected?: string;
  readonly body?: JsonObject;
  /** Makes the body again from the current object, after a conflict with a controller. */
  readonly fresh?: () => Promise<JsonObject>;
  readonly contentType?: string;
  /** The kinds that the response may have. */
  readonly kinds: readonly string[];
  /** Reads the object and throws a Failure if the effect of the body is absent. */
  readonly effect?: () => Promise<void>;
  /** Set if a controller does the work, some time after the response. */
  readonly later?: true;
}

/**
 * Returns the missing part of a call's effect, in words; undefined if the effect is complete, or if the call has none
 * to check. Waits for an effect that comes after the response, as long as a controller of the target may take.
 */
export function mismatchOf(call: Pick<ValidCall, 'effect' | 'later'>, sandbox: Sandbox): Promise<string | undefined> {
  if (!call.later) return mismatchNow(call);
  return whenControlled(
    sandbox,
    () => mismatchNow(call),
    (lack) => lack === undefined,
  );
}

/** Returns the missing part of a call's effect now, in words; undefined if the effect is complete. */
export async function mismatchNow({ effect }: Pick<ValidCall, 'effect'>): Promise<string | undefined> {
  try {
    await effect?.();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

export type Build = (sandbox: Sandbox, operation: Operation, resource: Resource) => Promise<ValidCall>;

/** Text that a careless server trims, normalises or cannot encode. */
const hostileText = ' \t grün e\u0301 𝄞 "\\\n\n ';

/** Annotations that a careless server cuts, trims, folds, normalises, cannot encode or takes for another type. */
const hostileAnnotations: JsonObject = {
  'kube-api-conformance/text': hostileText,
  'kube-api-conformance/empty': '',
  'kube-api-conformance/long': longText,
  'kube-api-conformance/Mixed.Case_Key': 'a\r\nb\rc\n',
  'kube-api-conformance/control': 'a\u0001b\u2028d\ufeffe',
  'kube-api-conformance/digits': '007.50',
  'kube-api-conformance/word': 'True',
};

/** Labels that a careless server folds, cuts or takes for absent. */
const hostileLabels: JsonObject = {
  'kube-api-conformance/Case': 'MiXed_Case.1',
  'kube-api-conformance/empty': '',
  [`kube-api-conformance/${'k'.repeat(63)}`]: 'V'.repeat(63),
};

/** Metadata that a careless server does not keep as it was sent. */
export const hostileMetadata = { labels: hostileLabels, annotations: hostileAnnotations } satisfies JsonObject;

/** A note on an object: a write of a subresource does not lose it. */
export const noted: JsonObject = { metadata: { annotations: { 'kube-api-conformance/noted': 'yes' } } };

/** The label that `withLabel` sets. */
export const changedLabel = 'kube-api-conformance/changed';

export function withLabel(object: JsonObject, value: string): JsonObject {
  return merge(object, { metadata: { labels: { [changedLabel]: value } } });
}

export const objectPath = (operation: Operation, made: Pick<CreatedObject, 'name' | 'namespace'>): string =>
  fill(operation.path, made.namespace, made.name);

export const mergePatch = (operation: Operation, made: CreatedObject, body: JsonObject) => ({
  method: 'PATCH',
  path: objectPath(operation, made),
  body,
  contentType: 'application/merge-patch+json',
});

/** Returns a check that reads the object and compares a part of it. */
export const shows =
  (sandbox: Sandbox, made: CreatedObject, part: JsonObject, what: string) => async (): Promise<void> =>
    holds(await sandbox.current(made), part, `${what}, then read`);

/** Returns the same check for a part that a controller may overwrite at once: a watch shows the earlier states. */
export const showedOnce =
  (sandbox: Sandbox, made: CreatedObject, part: JsonObject, what: string) => async (): Promise<void> => {
    const now = await sandbox.current(made);
    const seen = missing(now, part) === undefined ? now : ((await findEarlierState(sandbox, made, part)) ?? now);
    holds(seen, part, `${what}, then read`);
  };
