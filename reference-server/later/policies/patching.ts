// The patches of mutating policies: JSON patches, and configurations that are merged as an apply merges them.
import { apiVersionOf, type Resource } from '../../../matrix/api/index.js';
import { jsonPatch, TestFailed } from '../../patch/jsonPatch.js';
import { checkFields } from '../../schema/body.js';
import { isRecord, type KubeObject } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import { doInTurns } from '../../turns.js';
import { jsonOf, operationsOf } from '../cel/patches.js';
import { EvaluationError } from '../cel/values.js';
import { shapeOfKind } from '../managedfields/fieldTable.js';
import { shapeOf } from '../managedfields/kinds.js';
import { merge } from '../managedfields/merge.js';
import type { ListShape, ObjectShape, Shape } from '../managedfields/shape.js';
import { mistakesIn } from '../managedfields/validate.js';
import type { Subject } from '../webhooks/subject.js';
import { evaluated, PolicyFailure, type Run } from './compiled.js';

/** An object, and the version in which a policy sees it. */
interface Patched {
  readonly subject: Subject;
  readonly resource: Resource;
  readonly object: KubeObject;
}

/**
 * Returns an object with what a mutation changes, and with its defaults; the object itself if that is nothing. Throws
 * PolicyFailure for a mutation that does not fit the object.
 */
export async function patchedBy(
  expression: Parameters<typeof evaluated>[0],
  run: Run,
  patchType: string,
  patched: Patched,
): Promise<KubeObject> {
  const { subject, resource, object } = patched;
  const outcome = evaluated(expression, run);
  if ('failure' in outcome) throw new PolicyFailure(outcome.failure);
  const shown = subject.shown(object, resource);
  const next =
    patchType === 'JSONPatch'
      ? await withOperations(
          shown,
          fitting(() => operationsOf(outcome.value)),
          patched,
        )
      : await withConfiguration(
          shown,
          fitting(() => jsonOf(outcome.value)),
          patched,
        );
  return next === shown ? object : subject.taken(next, resource, object);
}

/** Returns what an expression has made. Throws PolicyFailure if it is no JSON. */
function fitting<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (error instanceof EvaluationError) throw new PolicyFailure(error.message);
    throw error;
  }
}

async function withOperations(
  shown: KubeObject,
  operations: readonly object[],
  { subject, resource }: Patched,
): Promise<unknown> {
  let patched: unknown;
  try {
    patched = await doInTurns(jsonPatch(shown, operations));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    // A patch whose test fails is not meant for this object.
    if (error.cause instanceof TestFailed) return shown;
    throw new PolicyFailure(`JSON Patch: ${error.message}`);
  }
  const unknown: string[] = [];
  const check = { isStrict: false, warn: (mistake: string) => void unknown.push(mistake) };
  await doInTurns(checkFields(subject.kindIn(resource), patched, check, {}));
  if (unknown.length === 0) return patched;
  const why = `strict decoding error: ${unknown.join(', ')}`;
  throw new StatusError(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

async function withConfiguration(shown: KubeObject, config: unknown, { subject, resource }: Patched): Promise<unknown> {
  const { apiVersion, kind } = subject.kindIn(resource);
  const isOwn = apiVersion === apiVersionOf(resource.groupVersion) && kind === resource.kind;
  const shape = isOwn ? shapeOf(resource) : shapeOfKind(apiVersion, kind);
  if (shape === undefined) {
    const why = 'There can be a delay between when CustomResourceDefinitions are created and when they are available.';
    throw new StatusError(503, 'ServiceUnavailable', `Resource kind ${apiVersion}, Kind=${kind} not found. ${why}`);
  }
  const whole = { ...(config as object), apiVersion, kind };
  const mistakes = await doInTurns(mistakesIn(shape, whole));
  const refuse = (why: string): never => {
    throw new PolicyFailure(`error applying patch: ${why}`);
  };
  if (mistakes.length > 0) {
    const list = mistakes.length === 1 ? mistakes[0] : `errors:${mistakes.map((each) => `\n  ${each}`).join('')}`;
    refuse(`failed to convert patch object to typed object: ${list}`);
  }
  const atomic = atomicParts(shape, whole, '');
  if (atomic.length > 0) {
    refuse(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`);
  }
  return doInTurns(merge(shape, shown, whole));
}

/** Returns the paths of the objects and lists that would be replaced as a whole: what they do not name would be lost. */
function atomicParts(shape: Shape, value: unknown, path: string): readonly string[] {
  if (value === null || typeof value !== 'object') return [];
  const inside =
    shape.kind === 'leaf' ? shape.inside : shape.kind === 'hidden' || shape.kind === 'any' ? undefined : shape;
  const own = shape.kind === 'leaf' ? [path] : [];
  return inside === undefined ? own : [...own, ...partsBelow(inside, value, path)];
}

function partsBelow(shape: ObjectShape | ListShape, value: object, path: string): readonly string[] {
  if (shape.kind === 'list') {
    return Array.isArray(value)
      ? value.flatMap((item, index) => atomicParts(shape.items, item, `${path}[${index}]`))
      : [];
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const inner = shape.field(name);
    return inner === undefined ? [] : atomicParts(inner, field, `${path}.${name}`);
  });
}
