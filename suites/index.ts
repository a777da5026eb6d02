// The functions of the suite for the command line: preparing a run, reading a target's capabilities, cleaning up.
export {
  type CertificateName,
  type ClientCertificate,
  clientCertificates,
  type Signer,
} from './fixtures/clientCertificates.js';
export { type Fixtures, fixtureCredentials, fixturesVersion, standInUrl } from './fixtures/fixtures.js';
export {
  type FileUser,
  identityUsers,
  openidUser,
  passwordUsers,
  tokenUsers,
  webhookUsers,
} from './fixtures/users.js';
export { serveControl } from './stand-ins/controlServer.js';
export { startStandIns } from './stand-ins/index.js';
export { type NodeRecord, startNodeRecord } from './stand-ins/node.js';
export { ownCredential } from './support/http/carried.js';
export { Client } from './support/http/client.js';
export { NoAnswer, type Reply } from './support/http/reply.js';
export { verificationOf } from './support/http/route.js';
export type { DeclaredKind } from './support/kinds/declaredKind.js';
export { discoverKinds } from './support/kinds/discovered.js';
export { findKinds, unusedOf, withSamples } from './support/kinds/find.js';
export type { UserSample } from './support/kinds/samples.js';
export { tryDeletes, unsafeDeletesReason } from './support/objects/deletes.js';
export { onNamespaceServer } from './support/objects/namespaceServer.js';
export { Sandbox } from './support/objects/sandbox.js';
export { seenOffered } from './support/run/absences.js';
export { anonymousNote, findAnonymousAccess } from './support/run/anonymousAccess.js';
export { readCapabilities, readNotSupported } from './support/run/capabilities.js';
export { cleanUp, findLeftRuns, tryCleanUp, tryDeletesOnLeft } from './support/run/cleanup.js';
export { readFeatures } from './support/run/features/read.js';
export { LiveLine } from './support/run/liveLine.js';
export { findNodes, lacksOf } from './support/run/nodes.js';
export { Outages } from './support/run/outage.js';
export { type Reached, type SecondServer, secondServerOperations, type UserFile } from './support/run/secondServer.js';
export {
  defaultComesBack,
  hasNamespaces,
  namePrefix,
  type Run,
  runVariable,
  type Undeletable,
  writeChoice,
  writeRun,
} from './support/run/settings.js';
export { skipReason } from './support/run/skips.js';
export { readStop } from './support/run/stopNote.js';
