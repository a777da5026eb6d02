// Loads a file of code of the bundle, which is CommonJS, with what V8 has compiled of it where the build has kept that.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** The modules of a file of code that others load, by their names. A module is evaluated when it is first asked for. */
export type Modules = Readonly<Record<string, () => Readonly<Record<string, unknown>>>>;

/** What Node.js puts around every file of CommonJS. */
const wrapper = ['(function(exports,require,module,__filename,__dirname){', '\n})'] as const;

const loaded = new Map<string, Modules>();

/** The bytes of a checksum, after what V8 has compiled. */
const checksumBytes = 4;

/** Returns the path of what this version of V8, with the options that it has now, compiles of a file of code. */
const compiledPath = (path: string): string => `${path}.${cachedDataVersionTag()}.v8`;

/** Keeps what V8 has compiled of a file of code until now, for starts with the options of now. Returns the path. */
export function keepCompiled(path: string, code: Buffer, script: Script): string {
  const file = compiledPath(path);
  const data = script.createCachedData();
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(crc32(data, crc32(code)));
  writeFileSync(file, Buffer.concat([data, checksum]));
  return file;
}

/**
 * Returns the script of a file of code with what was kept of it. V8 itself dies of what is damaged, and compares no more
 * than the length of the code.
 */
function keptOf(path: string): Script | undefined {
  try {
    const kept = readFileSync(compiledPath(path));
    const code = readFileSync(path);
    const data = kept.subarray(0, -checksumBytes);
    return kept.readUInt32LE(data.length) === crc32(data, crc32(code)) ? scriptOf(path, code, data) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the exports of a module of a file of code. */
export function moduleOf(file: URL, name: string): Readonly<Record<string, unknown>> {
  const path = fileURLToPath(file);
  const modules = loaded.get(path) ?? load(path);
  loaded.set(path, modules);
  return modules[name]?.() ?? {};
}

function load(path: string): Modules {
  const script = keptOf(path);
  // Without it, Node.js may keep what it compiles itself.
  return script ? evaluate(script, path) : (createRequire(path)(path) as Modules);
}

/** Compiles the code of a file, or takes what was compiled of it before. */
export const scriptOf = (path: string, code: Buffer, cachedData?: Buffer): Script =>
  new Script(wrapper.join(code.toString('latin1')), { filename: path, ...(cachedData && { cachedData }) });

/** Evaluates a compiled file of code as Node.js evaluates a file of CommonJS. */
export function evaluate(script: Script, path: string): Modules {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path));
  return module.exports;
}
