// The handler of every verb.
import type { Verb } from '../../matrix/api/index.js';
import { log } from '../connect/log.js';
import { proxy } from '../connect/proxy.js';
import { attach, exec, portforward } from '../connect/stream.js';
import { noSuchPath } from '../errors.js';
import type { Handler } from '../request.js';
import { bind } from './bind.js';
import type { Dependencies } from './context.js';
import { create } from './create.js';
import { deleteCollection, deleteObject } from './delete.js';
import { evict } from './evict.js';
import { list } from './list.js';
import { patch, patchStatus } from './patch.js';
import { read, readPlain, readStatus } from './read.js';
import { finalize, replace, replaceStatus } from './replace.js';
import { rollback } from './rollback.js';
import { patchScale, readScale, replaceScale } from './scale.js';
import { watch } from './watch.js';

export type { Dependencies, PatchType, RegisteredHandlers } from './context.js';

/** Later verbs have no operations unless somebody registers their handlers. */
const unserved: Handler = () => {
  throw noSuchPath();
};

/** Makes all handlers. A missing verb is a compile error. */
export function createHandlers(dependencies: Dependencies): Record<Verb, Handler> {
  const handlers: Record<Verb, Handler> = {
    listAll: list(dependencies),
    list: list(dependencies),
    deleteCollection: deleteCollection(dependencies),
    create: create(dependencies),
    read: read(dependencies),
    readPlain: readPlain(dependencies),
    replace: replace(dependencies),
    delete: deleteObject(dependencies),
    deletePlain: deleteObject(dependencies),
    patch: patch(dependencies),
    readStatus: readStatus(dependencies),
    replaceStatus: replaceStatus(dependencies),
    patchStatus: patchStatus(dependencies),
    watchAll: watch(dependencies),
    watchList: watch(dependencies),
    watchOne: watch(dependencies),
    readScale: readScale(dependencies),
    replaceScale: replaceScale(dependencies),
    patchScale: patchScale(dependencies),
    rollback: rollback(dependencies),
    finalize: finalize(dependencies),
    bind: bind(dependencies),
    evict: evict(dependencies),
    requestToken: unserved,
    readEphemeral: unserved,
    readApproval: unserved,
    replaceApproval: unserved,
    patchApproval: unserved,
    readResize: unserved,
    replaceResize: unserved,
    patchResize: unserved,
    replaceEphemeral: unserved,
    patchEphemeral: unserved,
    log: log(dependencies),
    attach: attach(dependencies),
    exec: exec(dependencies),
    portforward: portforward(dependencies),
    proxy: proxy(dependencies),
    proxyPath: proxy(dependencies),
    legacyProxy: proxy(dependencies),
    legacyProxyPath: proxy(dependencies),
  };
  for (const { verbs = {} } of dependencies.registered ?? []) {
    for (const [verb, make] of Object.entries(verbs)) handlers[verb as Verb] = make(dependencies);
  }
  return handlers;
}
