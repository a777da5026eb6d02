// The definitions that keep the rules: each is checked when it is written, or when a server starts with it.
import { typeOf } from '../../../matrix/api/modern/index.js';
import { invalid } from '../../errors.js';
import { decodeValue } from '../../schema/decode.js';
import type { KubeObject } from '../../schema/object.js';
import { TypeMismatch } from '../../schema/scalars.js';
import { doInTurns, type Steps } from '../../turns.js';

/** The specs that were checked whole. The status of a definition may change while its spec stays the same object. */
const checked = new WeakSet<object>();

/** The code that knows the rules. It is loaded when the first definition comes. */
const loadRules = () => import('./definitionRules.js');

/** Reports whether the spec of a definition was checked. */
export const isChecked = (spec: unknown): boolean => typeof spec === 'object' && spec !== null && checked.has(spec);

function setChecked({ spec }: KubeObject): void {
  if (typeof spec === 'object' && spec !== null) checked.add(spec);
}

/**
 * Checks a definition that is about to be written on a server of a minor version. Throws 422. What stays as it was
 * `before` is not checked again, so the definition is only as valid as that one.
 */
export async function admit(
  kind: { readonly group: string; readonly kind: string },
  minor: number,
  next: KubeObject,
  before?: KubeObject,
) {
  const { causesOf } = await loadRules();
  const causes = await doInTurns(causesOf(next, minor, before));
  if (causes.list.length > 0) throw invalid(kind, next.metadata.name ?? '', causes.list);
  if (before === undefined || isChecked(before.spec)) setChecked(next);
}

/** The fields of a definition that are compiled. A bad path of a column costs only columns. */
const compiled = /schema|selectableFields|labelSelectorPath|ReplicasPath/i;

/** Throws for a stored definition that breaks the rules of what is compiled: the code that serves it relies on them. */
export async function requireValid(definition: KubeObject, minor: number): Promise<void> {
  if (isChecked(definition.spec)) return;
  await doInTurns(requireTypes(definition));
  const { causesOf } = await loadRules();
  const { list } = await doInTurns(causesOf(definition, minor));
  const first = list.find(({ field = '' }) => compiled.test(field));
  if (first !== undefined) throw new Error(`${first.field}: ${first.message}`);
  setChecked(definition);
}

/** Throws if a field does not have its type. */
function* requireTypes(definition: KubeObject): Steps<void> {
  try {
    yield* decodeValue(typeOf('apiextensions.v1.CustomResourceDefinition'), definition);
  } catch (error) {
    throw error instanceof TypeMismatch ? new Error(`${error.path}: ${error.message}`) : error;
  }
}
