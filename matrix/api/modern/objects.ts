// The TypeScript types of API objects, from the rows of the field table in data/.
import type { types } from './data/index.js';

type Texts = typeof types;

/** The names that `ObjectOf` takes, such as `PodSpec` or `apps.v1.DeploymentSpec`. */
type ObjectName = keyof Texts;

interface Scalars {
  string: string;
  boolean: boolean;
  int32: number;
  int64: number;
  number: number;
  /** Base64. */
  bytes: string;
  /** Such as `100m`. */
  quantity: string;
  intOrString: number | string;
  /** RFC 3339. */
  time: string;
  microTime: string;
  raw: unknown;
}

type Split<Text extends string, Fields = never> = Text extends `${infer Field}; ${infer Rest}`
  ? Split<Rest, Fields | Field>
  : Fields | Text;

/** A field as `[name, type, whether a decoded object always has it]`. */
type Parsed<Field> = Field extends `${infer Name} ${number} ${infer Rest}`
  ? Rest extends `${infer Type} ${infer Marks}`
    ? [Name, Type, Marks]
    : [Name, Rest, '']
  : never;

type Value<Type> = Type extends `[]${infer Item}`
  ? readonly Value<Item>[]
  : Type extends `{}${infer Item}`
    ? Readonly<Record<string, Value<Item>>>
    : Type extends keyof Scalars
      ? Scalars[Type]
      : Type extends ObjectName
        ? ObjectOf<Type>
        : unknown;

type Marked<Marks, Mark extends string> = Marks extends `${string}${Mark}${string}` ? true : false;

/** A decoder gives a required scalar its zero value; any other field may be absent. */
type IsPresent<Type, Marks> = Type extends keyof Scalars ? Marked<Marks, 'required'> : false;

/** What a decoder gives an absent field, beside nothing: servers write null for a time that is not there, unless it has presence. */
type Absent<Type, Marks> = Type extends 'time' | 'microTime'
  ? Marked<Marks, 'presence'> extends true
    ? never
    : null
  : never;

type Inlined<Fields extends [string, string, string]> = Fields extends [string, infer Type, infer Marks]
  ? Marked<Marks, 'inlined'> extends true
    ? (inlined: Value<Type>) => void
    : never
  : never;

type Intersection<Union> = [Union] extends [never] ? unknown : Union extends (value: infer V) => void ? V : never;

type Fields<F extends [string, string, string]> = {
  readonly [One in F as IsPresent<One[1], One[2]> extends true ? One[0] : never]: Value<One[1]>;
} & {
  readonly [One in F as Marked<One[2], 'inlined'> extends true
    ? never
    : IsPresent<One[1], One[2]> extends true
      ? never
      : One[0]]?: Value<One[1]> | Absent<One[1], One[2]>;
} & Intersection<Inlined<F>>;

/**
 * The JSON object of a type of the field table: `ObjectOf<'PodSpec'>`. Its fields are those of present servers. A field
 * that servers always write, a required scalar, is there; all others may be absent. A bare type is a list in JSON.
 */
export type ObjectOf<Name extends ObjectName> = Texts[Name] extends ''
  ? object
  : Texts[Name] extends `items ${number} ${infer Item} bare`
    ? readonly Value<Item>[]
    : Fields<Parsed<Split<Texts[Name]>>>;
