// The layers of the node agent: a folder imports only itself and the folders below it, and no files form a circle.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { layerFaults } from '../tools/testing/layers.js';

/** The files of the agent itself. */
const agent = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

/** From top to bottom. */
const layers = [
  agent,
  ['scheduler'], //      the nodes that have room for pods
  ['kubelet'], //        the HTTPS server of a node, the Node object
  ['streaming'], //      exec, attach and port-forward over SPDY and WebSockets
  ['streaming/spdy'], // SPDY/3.1 sessions
  ['pods'], //           pods and their containers, volumes, environment, status
  ['containers'], //     one run of a container: log, terminal, attached clients, exec
  ['programs'], //       images, commands and the shell
  ['kernel'], //         processes, files, pipes and terminals of simulated programs
  ['network'], //        virtual addresses and connections, the CONNECT proxy
  ['api'], //            the client of the API server, the types of its objects
];

test('imports go down', () => {
  const { withoutLayer, upward, circles } = layerFaults(import.meta.dirname, layers);
  const within = (line: string): boolean => line.split(' → ').every((file) => agent.includes(file));
  expect({ withoutLayer, upward: upward.filter((line) => !within(line)), circles }).toEqual({
    withoutLayer: [],
    upward: [],
    circles: [],
  });
});
