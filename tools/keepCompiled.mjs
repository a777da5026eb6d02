// Keeps what V8 compiles of a file of code when these modules of it are loaded, for starts with the options of V8 that
// this process has. Prints the path of what is kept.
import { readFileSync } from 'node:fs';
import { evaluate, keepCompiled, scriptOf } from '../dist/cli/bundle.js';

const [path, ...names] = process.argv.slice(2);
const code = readFileSync(path);
const script = scriptOf(path, code);
const modules = evaluate(script, path);
for (const name of names) modules[name]();
process.stdout.write(keepCompiled(path, code, script));
