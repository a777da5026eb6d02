#!/usr/bin/env -S node --max-semi-space-size=8 --no-parallel-scavenge
// The entry of the command line: checks the version of Node.js, then loads the rest. Its syntax and imports work on old
// versions too.
// The server's new objects are short-lived: larger semi-spaces cost 20 MB more, and help only a server with an etcd. One
// thread collects them: with several, a create with an etcd costs up to a fifth more CPU.
// biome-ignore lint/style/useNodejsImportProtocol: an old Node.js knows no `node:`
import nodeModule from 'module';
import { bundleFolder } from './bundled.js';
import { wrongNode } from './nodeVersion.js';
import type * as Program from './program.js';

/** From Node.js 22.1 on: keeps compiled code in the temporary folder, for the next start. */
interface CompileCache {
  enableCompileCache?(): void;
}

const wrong = wrongNode();
if (wrong === undefined) {
  (nodeModule as CompileCache).enableCompileCache?.();
  const folder = bundleFolder();
  const isOfServer = /^(serve|openapi|assets?)$/.test(process.argv[2] ?? '');
  const compiled = () => (isOfServer ? import('./serverProgram.js') : import('./program.js'));
  const bundled = (): Promise<typeof Program> => import(`../${folder}/${isOfServer ? 'serverProgram' : 'program'}.js`);
  (folder === undefined ? compiled() : bundled()).then(({ main }) => main());
} else {
  process.stderr.write(`${wrong}\n`);
  process.exitCode = 2;
}
