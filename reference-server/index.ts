// What other parts may use of the reference server.
export { featureNames } from './features/features.js';
export { OptionError } from './optionError.js';
export type { ServerOptions, ServerTls } from './options.js';
export { type RunningServer, startServer } from './server.js';
