// The commands that need the server and no suite: the bundle has a file of code for each of both.
import { runProgram } from './runProgram.js';

/** Commands are loaded on demand. */
export const serverCommands = {
  serve: async () => (await import('./serve/serve.js')).registerServe,
  openapi: async () => (await import('./serve/openapi.js')).registerOpenapi,
  assets: async () => (await import('./assets/assets.js')).registerAssets,
  asset: async () => (await import('./assets/assets.js')).registerAsset,
};

/** Runs the command that the arguments of this process name, and sets the exit code. */
export const main = (): Promise<void> => runProgram(serverCommands);
