// What valid calls are made of: their shape, the path of an object, and how an effect is seen.
import type { Operation, Resource } from '../../matrix/api/index.js';
import { eventually } from './eventually.js';
import { Failure, holds } from './expect.js';
import { type JsonObject, merge, missing } from './json.js';
import { toldWith } from './overwritten.js';
import { fill, type Made, type Scope } from './scope.js';

/** A call that a conforming server answers with success. */
export interface ValidCall {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
  /** The body made anew from the object as it is now, for a write that lost against a controller. */
  readonly fresh?: () => Promise<JsonObject>;
  /** The content type of a patch. */
  readonly contentType?: string;
  /** The kinds that the answer may have. */
  readonly kinds: readonly string[];
  /** Looks at the target and throws a Failure where the body's effect is not there. */
  readonly effect?: () => Promise<void>;
  /** A controller does the work, some time after the answer. */
  readonly later?: true;
}

/**
 * What is missing of a call's effect, in words; undefined where it is all there, or where none is to be seen. Waits
 * for an effect that comes later than the answer.
 */
export function lackOf(call: Pick<ValidCall, 'effect' | 'later'>): Promise<string | undefined> {
  if (!call.later) return lackNow(call);
  return eventually(
    () => lackNow(call),
    (lack) => lack === undefined,
  );
}

/** What is missing of a call's effect at this moment. */
export async function lackNow({ effect }: Pick<ValidCall, 'effect'>): Promise<string | undefined> {
  try {
    await effect?.();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Makes what a call needs, and the call. */
export type Build = (scope: Scope, operation: Operation, resource: Resource) => Promise<ValidCall>;

/** The label of `withLabel`. */
export const changed = 'kube-api-conformance/changed';

/** The object with a label more. */
export function withLabel(object: JsonObject, value: string): JsonObject {
  return merge(object, { metadata: { labels: { [changed]: value } } });
}

/** Throws a Failure where the object does not carry the label of `withLabel`. */
export function carriesLabel(object: unknown, value: string, what: string): void {
  holds(object, { metadata: { labels: { [changed]: value } } }, what);
}

/** The path of an operation for an object. */
export const on = (operation: Operation, made: Pick<Made, 'name' | 'namespace'>): string =>
  fill(operation.path, made.namespace, made.name);

/** The merge patch of an object by an operation. */
export const mergePatch = (operation: Operation, made: Made, body: JsonObject) => ({
  method: 'PATCH',
  path: on(operation, made),
  body,
  contentType: 'application/merge-patch+json',
});

/** Reads the object and looks for a part of it. */
export const shows = (scope: Scope, made: Made, part: JsonObject, what: string) => async (): Promise<void> =>
  holds(await scope.current(made), part, `${what}, then read`);

/** The same, for a part that a controller may write over at once: a watch tells what was there before. */
export const showed = (scope: Scope, made: Made, part: JsonObject, what: string) => async (): Promise<void> => {
  const now = await scope.current(made);
  const seen = missing(now, part) === undefined ? now : ((await toldWith(scope, made, part)) ?? now);
  holds(seen, part, `${what}, then read`);
};
