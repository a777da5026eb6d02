// The functions of the suite for the command line: preparing a run, reading a target's capabilities, cleaning up.

import type { Rounds } from './run/rounds.js';
import type { Run } from './run/settings.js';

export { aliasFor } from './client/aliases.js';
export { Busy, Pace } from './client/backoff.js';
export { namePrefix } from './client/belonging.js';
export { ownCredential } from './client/carried.js';
export { Client } from './client/client.js';
export { NoAnswer, type Reply } from './client/reply.js';
export { addressOf, named, verificationOf } from './client/route.js';
export {
  type CertificateName,
  type ClientCertificate,
  clientCertificates,
  type Signer,
} from './fixtures/clientCertificates.js';
export { type Fixtures, fixtureCredentials, fixturesVersion, openidClaims, standInUrl } from './fixtures/fixtures.js';
export { type FileUser, identityUsers, passwordUsers, tokenUsers, webhookUsers } from './fixtures/users.js';
export { tryDeletes, type Undeletable, unsafeDeletesReason } from './objects/deletes.js';
export type { DeclaredKind } from './objects/kinds/declaredKind.js';
export { discoverKinds } from './objects/kinds/discovered.js';
export { findKinds, unusedOf, withSamples } from './objects/kinds/find.js';
export type { UserSample } from './objects/kinds/samples.js';
export { hasNamespaces, onNamespaceServer } from './objects/namespaceServer.js';
export { namespaceGuard } from './objects/oneNamespace.js';
export { scaled } from './objects/related.js';
export { Sandbox } from './objects/sandbox.js';
export { seenOffered, withoutServed } from './run/absences.js';
export { anonymousNote, findAnonymousAccess } from './run/anonymousAccess.js';
export { readCapabilities, readNotSupported } from './run/capabilities.js';
export { cleanUp, findLeftRuns, tryCleanUp, tryDeletesOnLeft } from './run/cleanup.js';
export { readFeatures } from './run/features/read.js';
export { LiveLine } from './run/liveLine.js';
export { findNodes, lacksOf } from './run/nodes.js';
export { Outages, readStop } from './run/outage.js';
export type { Rounds } from './run/rounds.js';
export {
  type SecondServer,
  type SecondServerAddress,
  secondServerOperations,
  type UserFile,
} from './run/secondServer.js';
export { defaultRecoveryTimeout, type Run, runVariable, writeChoice, writeRun } from './run/settings.js';
export { effectiveTarget, skipReason } from './run/skips.js';
export { Workers } from './run/workers.js';
export { serveControl } from './stand-ins/controlServer.js';
export { startStandIns } from './stand-ins/index.js';
export { type NodeRecord, startNodeRecord } from './stand-ins/node.js';

/** Loads the chapters into this process, to run cases of a run in rounds. */
export const loadRounds = async (run: Run): Promise<Rounds> => (await import('./run/rounds.js')).Rounds.load(run);
