// What the command line needs of the suite: to prepare a run, to read a target's capabilities, to clean up.
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
export { seenOffered } from './support/absences.js';
export { readCapabilities, readNotSupported } from './support/capabilities.js';
export { ownCredential } from './support/carried.js';
export { cleanUp, findLeftRuns, tryCleanUp } from './support/cleanup.js';
export { Client } from './support/client.js';
export { mistrustOf, tryDeletes } from './support/deletes.js';
export { readFeatures } from './support/features/read.js';
export { gate } from './support/gate.js';
export { LiveLine } from './support/liveLine.js';
export { findNodes, lacksOf } from './support/nodes.js';
export { Outages } from './support/outage.js';
export { NoAnswer, type Reply } from './support/reply.js';
export { verificationOf } from './support/route.js';
export { namePrefix, type Run, runVariable, usualComesBack, writeRun } from './support/run.js';
export { type Reached, type SecondServer, secondServerOperations, type UserFile } from './support/secondServer.js';
export { readStop } from './support/stopNote.js';
export { anonymousNote, findStrangers } from './support/strangers.js';
