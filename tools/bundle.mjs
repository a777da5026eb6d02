// Bundles what the commands, `startServer` and Playwright load, with the packages that they need: a start reads a file of
// code instead of two thousand, and beside it what V8 compiled of that file, which costs a third of a start. The compiled
// modules stay beside the bundle, and `cli/bundled.ts` chooses.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { basename, dirname, join, relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { build } from 'esbuild';
import { evaluate, keepCompiled, scriptOf } from '../dist/cli/bundle.js';
import { bundleFolder } from '../dist/cli/bundled.js';
import { serverOptions, workerOptions } from '../dist/cli/v8.js';

const dist = join(import.meta.dirname, '../dist');
const outdir = join(dist, 'bundle');
/** A folder of CommonJS. Playwright takes a file with another extension than those that load it for their source. */
const codeFolder = join(outdir, 'code');

const chapters = readdirSync(join(dist, 'suites'), { recursive: true }).filter((file) => file.endsWith('.spec.js'));
/** What threads and child processes run, by the module that starts it: both are in one folder. */
const started = new Map([
  ['reference-server/codecs/yamlThread.js', 'reference-server/codecs/yamlWorker.js'],
  ['reference-server/storages/lmdb/inspection.js', 'reference-server/storages/lmdb/inspect.js'],
]);
/** What other files load, by the file of code that it is in. A process that needs one file has no memory for the other. */
const entries = {
  server: [
    'cli/index.js',
    'cli/serverProgram.js',
    'cli/serve/serve.js',
    'cli/serve/openapi.js',
    'cli/assets/assets.js',
  ],
  commands: ['cli/program.js', 'cli/run/globalSetup.js', 'suites/run/reporter.js', 'suites/run/turns.js'],
  cases: ['suites/run/workerProcess.js', 'suites/run/tests.js', ...chapters.map((file) => join('suites', file))],
};
/** Programs, which do their work when they are loaded, and what needs Playwright, which is optional. Nobody reads exports. */
const unread = ['workerProcess', 'tests'];
const nameOf = (file) => basename(file, '.js');

const ofMeta = {
  url: (url) => `${url}.href`,
  filename: (url) => `__fileURLToPath(${url})`,
  dirname: (url) => `__fileURLToPath(new URL('.', ${url})).replace(/(?<=.)[/\\\\]$/, '')`,
};

/**
 * Modules find the files of the package, which are not in the bundle, from where they were compiled; and what they start
 * beside the bundle. `here` is the URL of the folder of the bundle, as an expression.
 */
const ownPaths = (here) => ({
  name: 'own paths',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const file = relative(dist, path).replaceAll('\\', '/');
      const text = file.startsWith('../') ? '' : readFileSync(path, 'utf8');
      if (!text.includes('import.meta')) return undefined;
      const url = `new URL(${JSON.stringify(started.has(file) ? '' : `../${file}`)}, ${here})`;
      const own = text.replace(/import\.meta\.(url|filename|dirname)\b/g, (_, name) => ofMeta[name](url));
      const contents = `import { fileURLToPath as __fileURLToPath } from 'node:url';\n${own}`;
      return { contents, loader: 'js', resolveDir: dirname(path) };
    });
  },
});

/** What is compiled for a machine, or is the choice of a user. */
const apart = /^(lmdb|@playwright\/test|allure-playwright|bufferutil|utf-8-validate)$/;
/** A start does not need the packages that are asked for later either. */
const packagesApart = {
  name: 'packages apart',
  setup({ onResolve }) {
    onResolve({ filter: /^[a-z@]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' || apart.test(path) ? { path, external: true } : undefined,
    );
  },
};

/** What the other files of code load of the server: it is in a file of its own. */
const serverApart = {
  name: 'server apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) => {
      const entry = relative(dist, join(resolveDir, path)).replaceAll('\\', '/');
      return kind === 'dynamic-import' && entries.server.includes(entry)
        ? { path: entry, namespace: 'server' }
        : undefined;
    });
    onLoad({ filter: /./, namespace: 'server' }, ({ path }) => ({
      contents: `const { moduleOf } = require('./cli/bundle.js');
        module.exports = moduleOf(new URL('code/server.js', __bundle), '${nameOf(path)}');`,
      resolveDir: dist,
    }));
  },
};

/** What the client uses of undici: the rest, such as its fetch, takes longer to load than a start has. */
const partOfUndici = `
import api from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import errors from 'undici/lib/core/errors.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
Object.assign(Dispatcher.prototype, api);
export { buildConnector, errors, Pool };
`;
const undici = {
  name: 'a part of undici',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/]undici[\\/]index\.js$/ }, ({ path }) => ({
      contents: partOfUndici,
      resolveDir: dirname(path),
    }));
  },
};

/** What the server uses of express: it reads the bodies itself, and has no files. */
const express = {
  name: 'a part of express',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/](body-parser|serve-static)[\\/]index\.js$/ }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

// A run may use the bundle: one that is current stays.
const program = join(outdir, 'program.js');
const isNewer = existsSync(program) && statSync(program).mtimeMs > statSync(import.meta.filename).mtimeMs;
if (isNewer && bundleFolder() !== undefined) {
  // The next start need not look at each module.
  utimesSync(program, new Date(), new Date());
  process.exit(0);
}
const plugins = (here) => [undici, express, ownPaths(here), packagesApart];
// Node.js prints the line of an uncaught error: a whole bundle in one line is a screen full of code for a wrong option.
const common = {
  ...{ bundle: true, platform: 'node', target: 'node20', minifyWhitespace: true, lineLimit: 160 },
  ...{ legalComments: 'linked', logLevel: 'warning', write: false },
};
mkdirSync(codeFolder, { recursive: true });
writeFileSync(join(codeFolder, 'package.json'), '{ "type": "commonjs" }\n');
/** The content of what is made, by the names of the files. */
const made = new Map();
/** The files of the folder of CommonJS. */
const kept = new Set(['package.json']);

const [server, commands, cases] = await Promise.all([
  bundle('server'),
  bundle('commands', serverApart),
  bundle('cases'),
  // A thread, or a program that shall end if a store is damaged, loads nothing else.
  build({
    ...{ entryPoints: [...started.values()].map((file) => join(dist, file)), outdir, entryNames: '[name]' },
    ...{ format: 'esm', ...common, plugins: plugins('import.meta.url') },
    // Packages of CommonJS ask for the modules of Node.js.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  }).then(take),
]);

// V8 compiles a function when the function is first called.
await useServer(server.modules);
for (const { write } of [server, commands, cases]) write();
await useCommands(commands.modules);
// The options of `startServer`, of the program, of `npm run conformance`, and of what a run starts.
const ofProgram = ['--max-semi-space-size=8', '--no-parallel-scavenge'];
for (const options of [[], ofProgram, serverOptions]) server.keepFor(options);
for (const options of [[], ofProgram, ['--max-semi-space-size=4']]) commands.keepFor(options);
cases.keepFor([]);
cases.keepInProcess(workerOptions);

for (const [file, contents] of made) writeFileSync(join(outdir, file), contents);
for (const file of readdirSync(codeFolder)) if (!kept.has(file)) rmSync(join(codeFolder, file));
for (const file of readdirSync(outdir))
  if (file !== basename(codeFolder) && !made.has(file)) rmSync(join(outdir, file));
process.exit();

/** Takes what was built, to be written. */
function take({ outputFiles }) {
  for (const { path, contents } of outputFiles) made.set(basename(path), contents);
}

/** Makes and loads a file of code, which gives its modules by their names. */
async function bundle(name, ...ofFile) {
  const path = join(codeFolder, `${name}.js`);
  take(
    await build({
      stdin: {
        contents: entries[name].map((file) => `exports['${nameOf(file)}'] = () => require('./${file}');`).join('\n'),
        resolveDir: dist,
      },
      ...{ outfile: path, format: 'cjs', ...common, plugins: [...ofFile, ...plugins('__bundle')] },
      // A script that V8 had compiled before has no loader for it.
      supported: { 'dynamic-import': false },
      banner: { js: "const __bundle=new URL('../',require('node:url').pathToFileURL(__filename));" },
    }),
  );
  const code = Buffer.from(made.get(basename(path)));
  made.delete(basename(path));
  // A run that has begun may load the file now.
  writeFileSync(`${path}.new`, code);
  renameSync(`${path}.new`, path);
  kept.add(basename(path));
  const script = scriptOf(path, code);
  const modules = evaluate(script, path);
  return {
    modules,
    /** Makes what others load: a module that takes its exports from the file of code. */
    write() {
      for (const module of entries[name].map(nameOf)) {
        const exported = unread.includes(module) ? [] : Object.keys(modules[module]());
        const names = exported.filter((each) => each !== 'default');
        const lines = [
          "import { moduleOf } from '../cli/bundle.js';",
          `const module = moduleOf(new URL('./code/${name}.js', import.meta.url), '${module}');`,
          ...(names.length > 0 ? [`export const { ${names.join(', ')} } = module;`] : []),
          ...(exported.includes('default') ? ['export default module.default;'] : []),
        ];
        made.set(`${module}.js`, `${lines.join('\n')}\n`);
      }
    },
    /** Keeps what V8 has compiled until now, for starts with these options of V8. */
    keepFor(options) {
      for (const option of ['--max-semi-space-size=0', '--parallel-scavenge', ...options]) setFlagsFromString(option);
      kept.add(basename(keepCompiled(path, code, script)));
    },
    /** The same for options that V8 cannot take while it runs. */
    keepInProcess(options) {
      const read = entries[name].map(nameOf).filter((module) => !unread.includes(module));
      const program = join(import.meta.dirname, 'keepCompiled.mjs');
      kept.add(basename(execFileSync(process.execPath, [...options, program, path, ...read], { encoding: 'utf8' })));
    },
  };
}

/** Loads all commands, of which this one needs the list. */
async function useCommands({ program }) {
  process.argv = [process.execPath, 'kube-api-conformance', 'completion', 'bash'];
  const { write } = process.stdout;
  process.stdout.write = () => true;
  await program().main();
  process.stdout.write = write;
}

async function useServer({ index }) {
  const server = await index().startServer();
  const { url, ca, token } = server;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = async (method, path, body) => {
    const asked = request(`${url}${path}`, { method, ca, headers }).end(body && JSON.stringify(body));
    const [response] = await once(asked, 'response');
    await once(response.resume(), 'end');
  };
  const all = '/api/v1/namespaces/default/configmaps';
  await ask('POST', all, { metadata: { name: 'one' } });
  for (const path of [all, `${all}/one`, '/api/v1', '/openapi/v2']) await ask('GET', path);
  await ask('DELETE', `${all}/one`);
  await server.close();
}
