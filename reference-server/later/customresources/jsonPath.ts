// The JSON paths of definitions: simple ones of names, and those of printer columns, which find several values.
import { exactInteger } from '../../exactJson.js';
import { isRecord, own } from '../../schema/object.js';

/** Returns the values of a path in an object. */
export type Find = (object: unknown) => readonly unknown[];

/** One step of a path: from a value to values inside it. */
type Step = (value: unknown) => readonly unknown[];

/** The most values that a path finds: a cell shows the first. */
const mostFound = 1000;

/** Returns the names of a path such as `.spec.replicas` or `.metadata['a.b']`; undefined for any other path. */
export function simplePath(path: string): readonly string[] | undefined {
  const names: string[] = [];
  let left = path;
  while (left !== '') {
    const [whole = '', plain, quoted] = /^(?:\.((?:\\.|[\w-])+)|\.?\['((?:\\.|[^'\\])+)'\])/.exec(left) ?? [];
    if (whole === '') return undefined;
    names.push((plain ?? quoted ?? '').replace(/\\(.)/g, '$1'));
    left = left.slice(whole.length);
  }
  return names.length === 0 ? undefined : names;
}

/**
 * Returns the search for a path of a printer column: names, indexes, slices, `*`, `..` and filters such as
 * `[?(@.type=="Ready")]`. Returns undefined for a path that it cannot read.
 */
export function findBy(path: string): Find | undefined {
  const steps = stepsOf(path);
  return steps && ((object) => steps.reduce<readonly unknown[]>(applied, [object]));
}

function applied(values: readonly unknown[], step: Step): readonly unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    for (const inner of step(value)) if (found.length < mostFound) found.push(inner);
  }
  return found;
}

/** The forms of a step, each with its reader. */
const forms: readonly (readonly [RegExp, (match: RegExpExecArray) => Step | undefined])[] = [
  [/^\.\.(?=[\w*[])/, () => descendants],
  [/^\.?\[\*\]|^\.?\*/, () => children],
  [/^\.?\[\?\(([^()]*)\)\]/, ([, text = '']) => filterOf(text)],
  [/^\.?\[([^[\]?]*)\]/, ([, text = '']) => union(text)],
  [
    /^\.?\['((?:\\.|[^'\\])+)'\]|^\.?\["((?:\\.|[^"\\])+)"\]|^\.?((?:\\.|[\w/-])+)/,
    (match) => named(unescaped(match[1] ?? match[2] ?? match[3] ?? '')),
  ],
];

function stepsOf(path: string): Step[] | undefined {
  const steps: Step[] = [];
  let left = path;
  while (left !== '') {
    let step: Step | undefined;
    for (const [form, read] of forms) {
      const match = form.exec(left);
      if (match === null) continue;
      step = read(match);
      left = left.slice(match[0].length);
      break;
    }
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

/** Returns the step for a list of indexes, slices and quoted names: `0,2:4,'a'`. */
function union(text: string): Step | undefined {
  const steps = text.split(',').map((part) => pick(part.trim()));
  const [first] = steps;
  if (steps.includes(undefined)) return undefined;
  return steps.length === 1 ? first : (value) => steps.flatMap((step) => step?.(value) ?? []);
}

function pick(part: string): Step | undefined {
  const name = /^'([^']*)'$|^"([^"]*)"$/.exec(part);
  if (name !== null) return named(unescaped(name[1] ?? name[2] ?? ''));
  const [whole, from = '', isSlice, to = '', by = ''] = /^(-?\d*)(?:(:)(-?\d*)(?::(-?\d*))?)?$/.exec(part) ?? [];
  if (whole === undefined || whole === '') return undefined;
  if (isSlice === undefined) {
    if (!/^-?\d+$/.test(whole)) return undefined;
    return (value) => present(listed(value).at(Number(whole)));
  }
  const step = by === '' ? 1 : Number(by);
  return (value) => {
    const found = listed(value).slice(Number(from || 0), to ? Number(to) : undefined);
    return step > 0 ? found.filter((_, index) => index % step === 0) : [];
  };
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');
const present = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value]);
const named =
  (name: string): Step =>
  (value) =>
    isRecord(value) ? present(own(value, name)) : [];
const children: Step = (value) => (Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []);

/** A value and everything in it, up to the limit. */
const descendants: Step = (value) => {
  const found = [value];
  for (let at = 0; at < found.length && found.length < mostFound; at++)
    found.push(...children(found[at]).slice(0, mostFound));
  return found;
};

const operators: Readonly<Record<string, (one: unknown, other: unknown) => boolean>> = {
  '==': (one, other) => one === other,
  '!=': (one, other) => one !== other,
  '<': (one, other) => (one as number) < (other as number),
  '<=': (one, other) => (one as number) <= (other as number),
  '>': (one, other) => (one as number) > (other as number),
  '>=': (one, other) => (one as number) >= (other as number),
};

/** Returns the step that keeps the items of a list with a field of some value: `@.type=="Ready"`; `@.type` has any. */
function filterOf(text: string): Step | undefined {
  const { path, operator, literal } = partsOfFilter(text.trim()) ?? {};
  if (path === undefined) return undefined;
  const names = path === '' ? [] : simplePath(path);
  if (names === undefined || (path === '' && operator === undefined)) return undefined;
  const at = (item: unknown) =>
    names.reduce((value: unknown, name) => (isRecord(value) ? own(value, name) : undefined), item);
  if (operator === undefined) return (value) => listed(value).filter((item) => at(item) !== undefined);
  const compare = operators[operator];
  const other = literalOf(literal ?? '');
  return compare && ((value) => listed(value).filter((item) => at(item) !== undefined && compare(at(item), other)));
}

/**
 * Splits the text of a filter: `@.type=="Ready"` has a path, an operator and a literal. Reads each character once, because
 * the text is a client's: a pattern for the whole takes forever on some texts. Returns undefined for any other text.
 */
function partsOfFilter(
  text: string,
): { readonly path: string; readonly operator?: string; readonly literal?: string } | undefined {
  if (!text.startsWith('@')) return undefined;
  const step = /\.?\[[^\]]*\]|\.[\w\\./-]+/y;
  step.lastIndex = 1;
  let end = 1;
  while (step.test(text)) end = step.lastIndex;
  const [path, rest] = [text.slice(1, end), text.slice(end).trimStart()];
  if (rest === '') return { path };
  const operator = /^(?:[=!<>]=|[<>])/.exec(rest)?.[0];
  const literal = rest.slice(operator?.length).trimStart();
  return operator === undefined || literal === '' ? undefined : { path, operator, literal };
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function literalOf(text: string): unknown {
  const quoted = /^(?:'(.*)'|"(.*)")$/.exec(text);
  if (quoted !== null) return unescaped(quoted[1] ?? quoted[2] ?? '');
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+$/.test(text)) return exactInteger(text);
  return Number.isNaN(Number(text)) ? text : Number(text);
}
