// The macros: calls that stand for loops and tests.
import type { Node } from './syntax.js';

/** The arguments of a macro do not fit it. */
export class MacroError extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

const accu = '@result';

/** Returns what a call without a target stands for, or undefined if it is no macro. Throws MacroError. */
export function expandGlobal(at: number, name: string, args: readonly Node[]): Node | undefined {
  const [argument] = args;
  if (name !== 'has' || args.length !== 1 || argument === undefined) return undefined;
  if (argument.kind === 'select') return { ...argument, at, test: true };
  throw new MacroError(argument.at, 'invalid argument to has() macro');
}

/** Returns what a call on a target stands for, or undefined if it is no macro. Throws MacroError. */
export function expandMember(at: number, of: Node, name: string, args: readonly Node[]): Node | undefined {
  if (name === 'sortBy' && args.length === 2) return sortBy(at, of, args);
  if ((name === 'optMap' || name === 'optFlatMap') && args.length === 2) return optional(at, of, name, args);
  const build = builders.get(name);
  if (build === undefined) return undefined;
  for (const count of [1, 2]) {
    const inner = args.length - count;
    const most = name === 'map' && count === 1 ? 2 : name.startsWith('transform') ? 2 : 1;
    if (inner < 1 || inner > most || (count === 1 && name.startsWith('transform'))) continue;
    if (count === 2 && (name === 'map' || name === 'filter')) continue;
    const [first = '', second] = args.slice(0, count).map(variableName);
    if (first === second) throw new MacroError(args[1]?.at ?? at, `duplicate variable name: ${first}`);
    const loop = build(at, args.slice(count), first, second);
    return { kind: 'fold', at, range: of, first, ...(second !== undefined && { second }), accu, ...loop };
  }
  return undefined;
}

function variableName(node: Node): string {
  if (node.kind === 'name') return node.name;
  throw new MacroError(node.at, 'argument must be a simple name');
}

interface Loop {
  readonly init: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
}

type Build = (at: number, args: readonly Node[], first: string, second: string | undefined) => Loop;

const call = (at: number, name: string, ...args: readonly Node[]): Node => ({ kind: 'call', at, name, args });
const named = (at: number, name: string): Node => ({ kind: 'name', at, name });
const literal = (at: number, value: boolean | bigint): Node => ({ kind: 'literal', at, value });
const list = (at: number, ...items: readonly Node[]): Node => ({ kind: 'list', at, items, optional: new Set() });
const current = (at: number): Node => named(at, accu);

const all: Build = (at, [test]) => ({
  init: literal(at, true),
  condition: call(at, '@not_strictly_false', current(at)),
  step: call(at, '_&&_', current(at), test as Node),
  result: current(at),
});

const exists: Build = (at, [test]) => ({
  init: literal(at, false),
  condition: call(at, '@not_strictly_false', call(at, '!_', current(at))),
  step: call(at, '_||_', current(at), test as Node),
  result: current(at),
});

const existsOne: Build = (at, [test]) => ({
  init: literal(at, 0n),
  condition: literal(at, true),
  step: call(at, '_?_:_', test as Node, call(at, '_+_', current(at), literal(at, 1n)), current(at)),
  result: call(at, '_==_', current(at), literal(at, 1n)),
});

/** Steps that build a list or a map: with a test, items that fail it are left out. */
function collecting(at: number, init: Node, test: Node | undefined, add: Node): Loop {
  const step = test === undefined ? add : call(at, '_?_:_', test, add, current(at));
  return { init, condition: literal(at, true), step, result: current(at) };
}

/** `@append` is the sum of lists that only a loop makes: it may change the list on its left. */
const append = (at: number, item: Node): Node => call(at, '@append', current(at), list(at, item));

const testAndValue = (args: readonly Node[]): readonly [test: Node | undefined, value: Node] =>
  args.length === 2 ? [args[0], args[1] as Node] : [undefined, args[0] as Node];

const map: Build = (at, args) => {
  const [test, value] = testAndValue(args);
  return collecting(at, list(at), test, append(at, value));
};

const intoMap =
  (entry: (at: number, value: Node, key: string) => Node): Build =>
  (at, args, first) => {
    const [test, value] = testAndValue(args);
    const insert = call(at, '@insert', current(at), entry(at, value, first));
    return collecting(at, { kind: 'map', at, entries: [] }, test, insert);
  };

const builders = new Map<string, Build>([
  ['all', all],
  ['exists', exists],
  ['exists_one', existsOne],
  ['existsOne', existsOne],
  ['map', map],
  ['filter', (at, [test], first) => collecting(at, list(at), test, append(at, named(at, first)))],
  ['transformList', map],
  [
    'transformMap',
    intoMap((at, value, key) => ({ kind: 'map', at, entries: [{ key: named(at, key), value, optional: false }] })),
  ],
  ['transformMapEntry', intoMap((_at, value) => value)],
]);

/** A variable is a loop that runs no step. */
const bind = (at: number, name: string, value: Node, body: Node): Node => ({
  kind: 'fold',
  at,
  range: list(at),
  first: '#unused',
  accu: name,
  init: value,
  condition: literal(at, false),
  step: named(at, name),
  result: body,
});

/** The list is sorted by the keys that a loop makes of its items. */
function sortBy(at: number, of: Node, args: readonly Node[]): Node {
  const list = named(at, '@list');
  const keys = expandMember(at, list, 'map', args) as Node;
  return bind(at, '@list', of, { kind: 'call', at, name: '@sortByAssociatedKeys', target: list, args: [keys] });
}

function optional(at: number, of: Node, name: string, [variable, body]: readonly Node[]): Node {
  const member = (method: string): Node => ({ kind: 'call', at, name: method, target: of, args: [] });
  const made = bind(at, variableName(variable as Node), member('value'), body as Node);
  const optionalCall = (method: string, ...args: readonly Node[]): Node => call(at, `optional.${method}`, ...args);
  const yes = name === 'optMap' ? optionalCall('of', made) : made;
  return call(at, '_?_:_', member('hasValue'), yes, optionalCall('none'));
}
