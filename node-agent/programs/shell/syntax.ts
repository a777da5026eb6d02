// The syntax tree of a shell script.

/** A part of a word. A quoted part is neither split into fields nor matched against file names. */
export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'variable'; readonly name: string; readonly fallback?: Word; readonly quoted: boolean }
  | { readonly kind: 'substitution'; readonly list: List; readonly quoted: boolean }
  | { readonly kind: 'arithmetic'; readonly text: string; readonly quoted: boolean };

export type Word = readonly Part[];

export interface Redirect {
  readonly descriptor: 0 | 1 | 2;
  /** `duplicate` copies the target's descriptor. */
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

/** Pipelines, each with its preceding operator; the first one has `;`. */
export type List = readonly { readonly after: ';' | '&&' | '||'; readonly pipeline: Pipeline }[];

/** The script has a syntax error. */
export class ShellSyntaxError extends Error {
  override readonly name: string = 'ShellSyntaxError';
}

/** The script ends early: more lines could complete it. */
export class Incomplete extends ShellSyntaxError {
  override readonly name = 'Incomplete';
}
