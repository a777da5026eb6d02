// The exports of the reference server for other folders.
export { type Api, createApp } from './app.js';
export type { ServerTls } from './edge/tls.js';
export { featureNames } from './features/features.js';
export { type OpenApiDocuments, openApiDocuments } from './later/openapi/offline.js';
export { OptionError } from './optionError.js';
export { type RunningServer, type ServerOptions, startServer } from './server.js';
