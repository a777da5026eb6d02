// The patterns of schemas, in the syntax of RE2, which matches in linear time. JavaScript has another syntax, and another
// engine: a pattern runs in the linear engine of V8 if that supports it, and otherwise for a limited time.
import { setFlagsFromString } from 'node:v8';
import { createContext, type Script, Script as VmScript } from 'node:vm';

/** The CPU time that one match may take in the engine that is not linear, in milliseconds. */
const longest = 50;
/** The most time that passes, in milliseconds, where other processes leave the server little of the CPU. */
const patience = 5_000;

/** Reports whether a text matches. Throws PatternTooSlow. */
export type Matches = (text: string) => boolean;

/** A match took longer than allowed. */
export class PatternTooSlow extends Error {
  /** The path of the value; callers up the stack set it. */
  field = '';
}

/** What RE2 does not have, so that no schema of a real server has it: look-arounds and back-references. */
const unsupported = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;

let isEnabled = false;

/** Returns the matcher of a pattern. Throws SyntaxError for text that is not a pattern of RE2. */
export function patternMatcherOf(pattern: string): Matches {
  const { source, flags } = translated(pattern);
  const plain = new RegExp(source, flags);
  const linear = linearOf(source, flags);
  const limited = timed(plain);
  if (linear === undefined) return limited;
  return (text) => {
    if (text.length <= short) return linear.test(text);
    // The linear engine is the slower one for most patterns.
    try {
      return limited(text);
    } catch (error) {
      if (!(error instanceof PatternTooSlow) || text.length > long) throw error;
      return linear.test(text);
    }
  };
}

/** The characters that the linear engine reads in two milliseconds, and in 50. */
const short = 10_000;
const long = 250_000;

/** Returns the pattern in the linear engine, or undefined if that does not support it, as for long repetitions. */
function linearOf(source: string, flags: string): RegExp | undefined {
  if (!isEnabled) setFlagsFromString('--enable-experimental-regexp-engine');
  isEnabled = true;
  try {
    return new RegExp(source, `${flags}l`);
  } catch {
    return undefined;
  }
}

interface Sandbox {
  pattern: RegExp;
  text: string;
}

let sandbox: { readonly values: Sandbox; readonly script: Script } | undefined;

function timed(pattern: RegExp): Matches {
  return (text) => {
    sandbox ??= { values: createContext({ pattern, text }) as Sandbox, script: new VmScript('pattern.test(text)') };
    const { values, script } = sandbox;
    Object.assign(values, { pattern, text });
    for (let timeout = longest; ; timeout *= 4) {
      const before = process.cpuUsage();
      try {
        return script.runInContext(values, { timeout }) as boolean;
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        const { user, system } = process.cpuUsage(before);
        if ((user + system) / 1000 >= longest * 0.8 || timeout > patience)
          throw new PatternTooSlow(`a match took longer than ${longest} ms`);
      }
    }
  };
}

/** Classes of characters that only RE2 has. */
const classes: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** Returns a pattern of RE2 in the syntax of JavaScript. */
function translated(pattern: string): { source: string; flags: string } {
  if (unsupported.test(pattern)) throw new SyntaxError('invalid or unsupported Perl syntax');
  const [prefix = '', letters = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = pattern
    .slice(prefix.length)
    .replace(/\\[\s\S]|\[\[?:(\w+):\]|\(\?P</g, (found, name: string | undefined) => {
      if (found === '\\A') return '^';
      if (found === '\\z') return '$';
      if (found === '(?P<') return '(?<';
      if (name === undefined || !Object.hasOwn(classes, name)) return found;
      return (found.startsWith('[[') ? '[' : '') + classes[name];
    });
  const flags = [...new Set(letters)].join('');
  return { source, flags: /\\[pP]/.test(source) ? `${flags}u` : flags };
}
