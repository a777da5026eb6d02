// Starts a server on a storage of this folder, for tests.
import * as core from '../../index.js';
import { storageOf } from '../index.js';
import type { StorageOptions } from '../options.js';

export type ServerOptions = core.ServerOptions & StorageOptions;

export const startServer = (options: ServerOptions): Promise<core.RunningServer> =>
  core.startServer({ ...options, ...storageOf(options) });
