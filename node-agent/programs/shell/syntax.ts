// The syntax tree of the shell's small language.

/** A piece of a word; what is quoted is neither split nor matched against file names. */
export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'variable'; readonly name: string; readonly otherwise?: Word; readonly quoted: boolean }
  | { readonly kind: 'output'; readonly list: List; readonly quoted: boolean }
  | { readonly kind: 'sum'; readonly text: string; readonly quoted: boolean };

export type Word = readonly Part[];

export interface Redirect {
  readonly descriptor: 0 | 1 | 2;
  /** `duplicate` copies the descriptor that the target names. */
  readonly mode: 'read' | 'truncate' | 'append' | 'duplicate';
  readonly target: Word;
}

export interface Simple {
  readonly kind: 'simple';
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
}

export type Compound =
  | { readonly kind: 'group'; readonly body: List; readonly subshell: boolean }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly condition: List; readonly body: List }[];
      readonly otherwise?: List;
    }
  | { readonly kind: 'while'; readonly until: boolean; readonly condition: List; readonly body: List }
  | { readonly kind: 'for'; readonly name: string; readonly words: readonly Word[]; readonly body: List };

export type Command = (Simple | Compound) & { readonly redirects: readonly Redirect[] };

export interface Pipeline {
  readonly negated: boolean;
  readonly commands: readonly Command[];
}

/** Pipelines with what stands before each: the first has `;`. */
export type List = readonly { readonly after: ';' | '&&' | '||'; readonly pipeline: Pipeline }[];

/** The script is wrong. */
export class SyntaxProblem extends Error {
  override readonly name: string = 'SyntaxProblem';
}

/** The script ends too early: with more lines it might be right. */
export class Incomplete extends SyntaxProblem {
  override readonly name = 'Incomplete';
}
