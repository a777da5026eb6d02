// The layers of the command line: each folder imports only from the layers below it, and no files in a circle.
import { expect, it } from 'vitest';
import { layerFaults } from '../tools/testing/layers.js';

/** The layers from top to bottom. */
const layers = [
  ['main.ts'],
  ['program.ts'],
  ['serverProgram.ts'],
  ['runProgram.ts'],
  ['index.ts', 'nodeAgent.ts', 'completion.ts'],
  ['run', 'assets'],
  ['envtest', 'explain', 'reporting', 'serve'],
  ['options.ts'],
  ['optionTypes.ts'],
  ['serveNodes.ts'],
  ['fixtures'],
  ['target'],
  ['kubeconfig'],
  ['help.ts'],
  ['files.ts', 'terminal.ts', 'words.ts', 'yamlErrors.ts'],
  ['bundle.ts', 'bundled.ts', 'errors.ts', 'nodeVersion.ts', 'optionValues.ts', 'running.ts', 'v8.ts'],
] as const;

it('are kept by every import', () => {
  expect(layerFaults(import.meta.dirname, layers)).toEqual({ withoutLayer: [], upward: [], circles: [] });
});
