// Bundles what the commands, `startServer` and Playwright load, with the packages that they need: a start reads some thirty
// files instead of two thousand. The compiled modules stay beside it, and `cli/bundled.ts` chooses.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { bundleFolder } from '../dist/cli/bundled.js';

const dist = join(import.meta.dirname, '../dist');
const outdir = join(dist, 'bundle');

const chapters = readdirSync(join(dist, 'suites'), { recursive: true }).filter((file) => file.endsWith('.spec.js'));
/** What threads and child processes run, by the module that starts it: both are in one folder. */
const started = new Map([
  ['reference-server/codecs/yamlThread.js', 'reference-server/codecs/yamlWorker.js'],
  ['reference-server/storages/lmdb/inspection.js', 'reference-server/storages/lmdb/inspect.js'],
]);
const entries = [
  ...[
    'cli/program.js',
    'cli/index.js',
    'cli/run/globalSetup.js',
    'suites/run/reporter.js',
    'suites/run/turns.js',
    'suites/run/workerProcess.js',
  ],
  ...started.values(),
  ...chapters.map((file) => join('suites', file)),
];

const ofMeta = {
  url: (url) => `${url}.href`,
  filename: (url) => `__fileURLToPath(${url})`,
  dirname: (url) => `__fileURLToPath(new URL('.', ${url})).replace(/(?<=.)[/\\\\]$/, '')`,
};

/** Modules find the files of the package, which are not in the bundle, from where they were compiled. */
const ownPaths = {
  name: 'own paths',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const file = relative(dist, path).replaceAll('\\', '/');
      const text = file.startsWith('../') || started.has(file) ? '' : readFileSync(path, 'utf8');
      if (!text.includes('import.meta')) return undefined;
      const url = `new URL(${JSON.stringify(`../${file}`)}, import.meta.url)`;
      const own = text.replace(/import\.meta\.(url|filename|dirname)\b/g, (_, name) => ofMeta[name](url));
      const contents = `import { fileURLToPath as __fileURLToPath } from 'node:url';\n${own}`;
      return { contents, loader: 'js', resolveDir: dirname(path) };
    });
  },
};

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

// A run may use the bundle: one that is current stays, and parts that have not changed keep their names.
const program = join(outdir, 'program.js');
const isNewer = existsSync(program) && statSync(program).mtimeMs > statSync(import.meta.filename).mtimeMs;
if (isNewer && bundleFolder() !== undefined) {
  // The next start need not look at each module.
  utimesSync(program, new Date(), new Date());
  process.exit(0);
}
/** Packages of CommonJS ask for the modules of Node.js. */
const require =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";
// Node.js prints the line of an uncaught error: a whole chunk in one line is a screen full of code for a wrong option.
const lineLimit = 160;
const { metafile } = await build({
  ...{
    entryPoints: entries.map((file) => join(dist, file)),
    outdir,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
  },
  ...{ bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node20' },
  ...{
    minifyWhitespace: true,
    lineLimit,
    legalComments: 'linked',
    banner: { js: require },
    logLevel: 'warning',
    metafile: true,
    plugins: [undici, express, ownPaths, packagesApart],
  },
});
const made = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const file of readdirSync(outdir)) if (!made.has(file)) rmSync(join(outdir, file));
