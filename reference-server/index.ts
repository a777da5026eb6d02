// The exports of the reference server for other folders.
export type { Addon } from './addons.js';
export { type Api, createApp } from './app.js';
export type { StaticToken } from './authentication/staticToken.js';
export { gitVersionOf } from './discovery/discovery.js';
export type { ServerTls } from './edge/tls.js';
export { OptionError, readOptionFile } from './optionValues.js';
export { type RunningServer, type ServerOptions, startServer } from './server.js';
export { StorageFull } from './storage/storage.js';
