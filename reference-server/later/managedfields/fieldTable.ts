// The shapes of the field table: lists and maps with one owner or many, as the OpenAPI of servers says.
import {
  type Field,
  fieldsOf,
  isTypeName,
  type Scalar,
  type Type,
  typeOf,
  typeOfKind,
} from '../../../matrix/api/modern/index.js';
import { isAtomicType, ownershipOf, presentFieldsOf } from '../../../matrix/api/modern/listTypes.js';
import { zeroValues } from '../../schema/scalars.js';
import { anyValue, type ListShape, leaf, type ObjectShape, type Shape } from './shape.js';

/** Returns the shape of a kind; undefined if the table does not have the kind. */
export function shapeOfKind(apiVersion: string, kind: string): ObjectShape | undefined {
  const type = typeOfKind(apiVersion, kind);
  const shape = type && shapeOfType(type);
  return shape?.kind === 'object' ? shape : undefined;
}

export const metadataShape = (): ObjectShape => shapeOfType(typeOf('ObjectMeta')) as ObjectShape;

const known = new WeakMap<Type, Shape>();

function shapeOfType(type: Type): Shape {
  const before = known.get(type);
  if (before !== undefined) return before;
  const isWhole = isAtomicType(type.name) || type.bare !== undefined;
  const shape = isWhole ? { ...leaf, inside: insideOf(type) } : shapeOfFields(type);
  known.set(type, shape);
  return shape;
}

function shapeOfFields(type: Type): ObjectShape {
  // Types contain each other, so the fields are resolved on first use.
  let shapes: Map<string, Shape> | undefined;
  const field = (name: string): Shape | undefined => {
    shapes ??= new Map(fieldsOf(type).map((each) => [each.name, shapeOfField(type, each)]));
    return shapes.get(name);
  };
  const isAlwaysThere = ({ name, shape, required, type: of, presence }: Field): boolean =>
    shape === undefined
      ? of === 'raw' && presence !== true
      : required === true && shape === 'list' && field(name)?.kind === 'list' && !isLeftOut(type, name);
  let names: readonly string[] | undefined;
  const present = (): readonly string[] => {
    names ??= [
      ...presentFieldsOf(type.name),
      ...fieldsOf(type)
        .filter(isAlwaysThere)
        .map(({ name }) => name),
    ];
    return names;
  };
  const zeros = (): Readonly<Record<string, unknown>> =>
    Object.fromEntries(fieldsOf(type).map((each) => [each.name, zeroOf(each)]));
  return { kind: 'object', field, present, zeros };
}

/** Reports whether servers leave out a required list that is empty. */
const isLeftOut = ({ name: type }: Type, name: string): boolean => leftOut.has(`${type}.${name}`);
const leftOut: ReadonlySet<string> = new Set([
  'ServiceSpec.ports',
  'admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec.validationActions',
]);

/** The zero of a scalar that is not absent without it: if an object has it, then servers wrote it. */
const zeroOf = ({ name, type, shape, presence }: Field): unknown => {
  // Templates of older servers have it as null.
  if (name === 'creationTimestamp') return null;
  return shape !== undefined || presence === true ? undefined : zeroValues[type as Scalar];
};

function shapeOfField(type: Type, field: Field): Shape {
  const ownership = ownershipOf(type, field);
  if (ownership === 'atomic') return wholeField(field);
  if (field.shape === undefined) return ownership === 'granular' ? fieldsOrScalar(field.type) : lazily(field.type);
  if (field.shape === 'map') return { kind: 'object', field: () => undefined, others: lazily(field.type) };
  const keys =
    typeof ownership === 'string' ? undefined : [...ownership].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { kind: 'list', ...(keys && { keys }), items: lazily(field.type) };
}

/** A field whose value has one owner, and what is inside it. */
function wholeField({ type, shape, or }: Field): Shape {
  // A value of the other type is read as it is.
  if (or !== undefined) return leaf;
  if (shape === 'list') return { ...leaf, inside: { kind: 'list', items: lazily(type) } };
  if (shape === 'map') return { ...leaf, inside: { kind: 'object', field: () => undefined, others: lazily(type) } };
  return isTypeName(type) ? { ...leaf, inside: insideOf(typeOf(type)) } : lazily(type);
}

const insideOf = (type: Type): ObjectShape | ListShape =>
  type.bare === undefined ? shapeOfFields(type) : { kind: 'list', items: lazily(type.bare.type) };

/** The shape of a type whose fields have owners of their own here, though it is atomic elsewhere. */
function fieldsOrScalar(type: Field['type']): Shape {
  return isTypeName(type) && isAtomicType(type) ? shapeOfFields(typeOf(type)) : lazily(type);
}

function lazily(type: Field['type']): Shape {
  if (!isTypeName(type)) return scalars[type];
  return shapeOfType(typeOf(type));
}

const text: Shape = { kind: 'leaf', scalar: 'string' };
const number: Shape = { kind: 'leaf', scalar: 'numeric' };

const scalars: Readonly<Record<Scalar, Shape>> = {
  string: text,
  boolean: { kind: 'leaf', scalar: 'boolean' },
  int32: number,
  int64: number,
  number,
  bytes: text,
  quantity: leaf,
  intOrString: leaf,
  time: text,
  microTime: text,
  raw: anyValue,
};
