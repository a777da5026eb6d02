// The handler of every verb.
import type { Verb } from '../../matrix/api/index.js';
import { log } from '../connect/log.js';
import { proxy } from '../connect/proxy.js';
import { attach, exec, portforward } from '../connect/stream.js';
import type { Handler } from '../request.js';
import { bind } from './bind.js';
import type { Dependencies } from './context.js';
import { create } from './create.js';
import { deleteObject } from './delete.js';
import { deleteCollection } from './deleteCollection.js';
import { evict } from './evict.js';
import { list } from './list.js';
import { patch, patchEphemeral, patchStatus } from './patch.js';
import { read, readPlain, readStatus } from './read.js';
import { finalize, replace, replaceEphemeral, replaceStatus } from './replace.js';
import { rollback } from './rollback.js';
import { patchScale, readScale, replaceScale } from './scale.js';
import { requestToken } from './tokenRequest.js';
import { watch } from './watch.js';

export type { Dependencies } from './context.js';

/** Makes all handlers. A missing verb is a compile error. */
export function createHandlers(dependencies: Dependencies): Record<Verb, Handler> {
  return {
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
    requestToken: requestToken(dependencies),
    readEphemeral: readStatus(dependencies),
    replaceEphemeral: replaceEphemeral(dependencies),
    patchEphemeral: patchEphemeral(dependencies),
    log: log(dependencies),
    attach: attach(dependencies),
    exec: exec(dependencies),
    portforward: portforward(dependencies),
    proxy: proxy(dependencies),
    proxyPath: proxy(dependencies),
    legacyProxy: proxy(dependencies),
    legacyProxyPath: proxy(dependencies),
  } satisfies Record<Verb, Handler>;
}
