// The patterns of schemas: RE2, whose matches take time in proportion to the text. The engine is loaded on first use.
import { createRequire } from 'node:module';
import { createContext, type Script, Script as VmScript } from 'node:vm';
import type { RE2JS } from 're2js';
import { engineSyntax } from './patternSyntax.js';

/** The CPU time that the costly matches of one request may take, in milliseconds. */
const longest = 1_000;
/** The longest attempt, in milliseconds, where other processes leave the server little of the CPU. */
const patience = 20_000;
/** Matches of fewer instructions times characters take a few milliseconds, and are not measured. */
const costly = 20_000;

/** The matches of one request took longer than allowed. */
export class PatternTooSlow extends Error {
  /** The path of the value; callers up the stack set it. */
  field = '';
}

/** The CPU time that the matches of one request may still take, in milliseconds. */
export class PatternBudget {
  left = longest;
}

/** Reports whether a text matches. Throws PatternTooSlow if the budget does not suffice. */
export type Matches = (text: string, budget: PatternBudget) => boolean;

type Engine = Pick<typeof RE2JS, 'compile'>;
let engine: { readonly RE2JS: Engine } | undefined;

/** A compiled pattern. */
export interface Pattern {
  readonly matches: Matches;
  /** Returns the parts of a text that match, at most so many. Throws PatternTooSlow if the budget does not suffice. */
  findAll(text: string, budget: PatternBudget, most?: number): string[];
}

/** The most patterns that are kept compiled. */
const mostKept = 500;
const kept = new Map<string, Pattern>();

/** Returns a pattern, compiled once while it is in use. Throws an error for text that is not a pattern of RE2. */
export function patternOf(pattern: string): Pattern {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  if (kept.size >= mostKept) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
}

/** Returns the matcher of a pattern. Throws an error for text that is not a pattern of RE2. */
export const patternMatcherOf = (pattern: string): Matches => compile(pattern).matches;

function compile(pattern: string): Pattern {
  engine ??= createRequire(import.meta.url)('re2js') as { RE2JS: Engine };
  const compiled = engine.RE2JS.compile(engineSyntax(pattern));
  const instructions = compiled.programSize();
  const run = <Result>(text: string, budget: PatternBudget, work: () => Result): Result =>
    instructions * text.length < costly ? work() : within(budget, work);
  return {
    matches: (text, budget) => run(text, budget, () => compiled.test(text)),
    findAll: (text, budget, most = Number.POSITIVE_INFINITY) =>
      run(text, budget, () => {
        const found: string[] = [];
        const matcher = compiled.matcher(text);
        while (found.length < most && matcher.find()) found.push(matcher.group() ?? '');
        return found;
      }),
  };
}

/** The CPU time since then, in milliseconds. */
function spentSince(then: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(then);
  return (user + system) / 1000;
}

let sandbox: { readonly values: { work: () => unknown }; readonly script: Script } | undefined;

/** Does work in a script, which can be stopped. */
function within<Result>(budget: PatternBudget, work: () => Result): Result {
  sandbox ??= { values: createContext({ work }) as { work: () => unknown }, script: new VmScript('work()') };
  const { values, script } = sandbox;
  values.work = work;
  const tooSlow = () => new PatternTooSlow(`the matches of the request took longer than ${longest} ms`);
  const before = process.cpuUsage();
  for (let timeout = Math.max(1, Math.ceil(budget.left)); ; timeout *= 4) {
    const attempt = process.cpuUsage();
    try {
      const result = script.runInContext(values, { timeout: Math.min(timeout, patience) }) as Result;
      const cost = spentSince(attempt);
      // On a busy machine a later attempt may end, at a cost that another machine would not have allowed.
      if (timeout > budget.left * 2 && cost > budget.left * 2) throw tooSlow();
      budget.left -= cost;
      return result;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      if (spentSince(before) >= budget.left * 0.8 || timeout > patience) throw tooSlow();
    }
  }
}
