// Joins the compiled modules of the page to one inline script, without a bundler.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const compiled = import.meta.url.endsWith('.js');
const folder = join(import.meta.dirname, compiled ? '../../page' : '../../../dist/reports/page');

/** The scripts: one for the page, one for the additional files. */
export type ScriptEntry = 'main' | 'copy';

/** Returns the source expression for exactly this inline text in a Content-Security-Policy. */
export function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const joined = new Map<ScriptEntry, string>();

/** Returns a script with all its imports: every module is a function that returns its exports, in import order. */
export function scriptOf(entry: ScriptEntry): string {
  const known = joined.get(entry);
  if (known !== undefined) return known;
  const modules: string[] = [];
  add(entry, modules, new Map());
  const text = `'use strict';\n(() => {\n${modules.join('\n')}\n})();`;
  joined.set(entry, text);
  return text;
}

function add(name: string, modules: string[], done: Map<string, 'begun' | 'added'>): void {
  if (done.get(name) === 'added') return;
  if (done.has(name)) throw new Error(`the modules of the page import each other in a circle: ${name}`);
  done.set(name, 'begun');
  const source = readFileSync(join(folder, `${name}.js`), 'utf8');
  const exported: string[] = [];
  const body = source
    .replace(/^import (?:\{([^}]*)\} from )?'\.\/(\w+)\.js';$/gm, (_, names: string | undefined, from: string) => {
      add(from, modules, done);
      return names === undefined ? '' : `const {${names.replaceAll(' as ', ': ')}} = $${from};`;
    })
    .replace(/^export (?=(?:async )?(?:function|const|class) (\w+))/gm, (_, exportedName: string) => {
      exported.push(exportedName);
      return '';
    })
    .replace(/^(?:export \{\};|\/\/# sourceMappingURL.*)$/gm, '');
  const left = /^(?:import|export)\b.*/m.exec(body);
  if (left) throw new Error(`the page cannot take "${left[0]}" of ${name}.js`);
  if (/<\/script|<!--/i.test(body)) throw new Error(`${name}.js holds the end of a script element`);
  modules.push(`const $${name} = (() => {\n${body}\nreturn { ${exported.join(', ')} };\n})();`);
  done.set(name, 'added');
}
