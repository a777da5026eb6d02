// The layers of the node agent: a folder imports only itself and the folders below it, and no files form a circle.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** From the top to the bottom. */
const layers = [
  '.', //                    the agent
  'scheduler', //            the nodes that have room for pods
  'kubelet', //              the HTTPS server of a node, the Node object
  'streaming', //            exec, attach and port-forward over SPDY and WebSockets
  'streaming/spdy', //       SPDY/3.1 sessions
  'pods', //                 pods and their containers, volumes, environment, status
  'containers', //           one run of a container: log, terminal, attached clients, exec
  'programs', //             images, commands and the shell
  'kernel', //               processes, files, pipes and terminals of simulated programs
  'network', //              virtual addresses and connections, the CONNECT proxy
  'api', //                  the client of the API server, the types of its objects
];

/** The imports of each file, type-only imports too; paths are relative to this folder. */
const imports = new Map(
  readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/'))
    .map((file) => {
      const text = readFileSync(join(import.meta.dirname, file), 'utf8');
      const found = [...text.matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)];
      return [file, found.map(([, path = '']) => `${join(dirname(file), path)}.ts`)] as const;
    }),
);

describe.each(layers)('%s', (folder) => {
  test('imports only what is below it', () => {
    const allowed = layers.slice(layers.indexOf(folder));
    const files = [...imports].filter(([file]) => dirname(file) === folder);
    expect(files).not.toEqual([]);
    const upward = files.flatMap(([file, targets]) =>
      targets
        .filter((target) => imports.has(target) && !allowed.includes(dirname(target)))
        .map((target) => `${file} imports ${target}`),
    );
    expect(upward).toEqual([]);
  });
});

test('every file is in a layer', () => {
  expect([...imports.keys()].filter((file) => !layers.includes(dirname(file)))).toEqual([]);
});

test('no files form a circle', () => {
  const left = new Map(imports);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [file, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(file);
  }
  expect([...left.keys()]).toEqual([]);
});
