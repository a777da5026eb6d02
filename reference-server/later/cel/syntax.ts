// The syntax tree of an expression, and the errors of its text.

/** A value of the language, as literals have them. */
export type Literal = null | boolean | bigint | number | string | Uint8Array | { readonly uint: bigint };

/** A node of the tree. `at` is its place in the text, in characters. */
export type Node = { readonly at: number } & (
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'select'; readonly of: Node; readonly field: string; readonly test: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly target?: Node; readonly args: readonly Node[] }
  | { readonly kind: 'list'; readonly items: readonly Node[]; readonly optional: ReadonlySet<number> }
  | { readonly kind: 'map'; readonly entries: readonly MapEntry[] }
  | { readonly kind: 'object'; readonly type: string; readonly entries: readonly ObjectEntry[] }
  | Fold
);

export interface MapEntry {
  readonly key: Node;
  readonly value: Node;
  readonly optional: boolean;
}

export interface ObjectEntry {
  readonly at: number;
  readonly field: string;
  readonly value: Node;
  readonly optional: boolean;
}

/** A loop over a list or a map, which macros make: `step` gives the next value of `accu` while `condition` is true. */
export interface Fold {
  readonly kind: 'fold';
  readonly range: Node;
  readonly first: string;
  /** The second variable: the item of a list or the value of a map, whose index or key is then the first. */
  readonly second?: string;
  readonly accu: string;
  readonly init: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
}

/** A mistake of the text, at a character. */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/** The text is not an expression, or its types do not fit. */
export class CompileError extends Error {
  constructor(text: string, issues: readonly Issue[]) {
    super(issues.map((issue) => shown(text, issue)).join('\n'));
  }
}

/** Returns a mistake with its line and a mark below it. */
function shown(text: string, { at, message }: Issue): string {
  const characters = [...text];
  const start = characters.slice(0, at).lastIndexOf('\n') + 1;
  const line = characters.slice(0, start).filter((character) => character === '\n').length + 1;
  const next = characters.indexOf('\n', start);
  const shownLine = characters.slice(start, next === -1 ? undefined : next).join('');
  const where = `ERROR: <input>:${line}:${at - start + 1}: ${message}`;
  return `${where}\n | ${shownLine.replaceAll('\t', ' ')}\n | ${'.'.repeat(at - start)}^`;
}

/** The nodes directly below a node. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'select':
      return [node.of];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'object':
      return node.entries.map(({ value }) => value);
    case 'fold':
      return [node.range, node.init, node.condition, node.step, node.result];
    default:
      return [];
  }
}
