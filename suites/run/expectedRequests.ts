// What cases take of the time of a run on a server that responds late: for the estimate of the time left.
import type { ChapterName, Subject } from '../requirements/index.js';
import { isExclusive } from './concurrent.js';

/**
 * The requests that a subject sends one after the other, on average over the chapter, as measured on a server that
 * responds after 200 ms. Waits are included: 200 ms count as one request.
 */
const requests: Readonly<Record<ChapterName, number>> = {
  // Requirements of the suite itself, without cases.
  documentScope: 0,
  surface: 1,
  responses: 2.4,
  discovery: 1,
  list: 3.8,
  read: 3.7,
  create: 3.5,
  replace: 8.1,
  delete: 3.7,
  deleteCollection: 10,
  errors: 2.4,
  parameters: 4.6,
  selectors: 9.5,
  patch: 6.2,
  subresources: 3.9,
  deleteOptions: 8.1,
  validation: 2.3,
  admission: 8.2,
  versions: 4.1,
  watch: 6.4,
  histories: 40,
  authentication: 1.3,
  serviceAccounts: 3.4,
  tokenReview: 1.7,
  certificates: 1.5,
  log: 1.6,
  connect: 2.2,
  proxy: 1.2,
  protobuf: 2.7,
  openapi: 6.5,
};
/** How much longer a subject takes that runs beside no other of its worker. */
const factorOfExclusive = 8;

/** Returns the expected requests of subjects, those of an exclusive subject counted several times. */
export function expectedRequests(chapter: ChapterName, subjects: readonly Subject[]): number {
  const factors = subjects.map((subject) => (isExclusive(chapter, subject) ? factorOfExclusive : 1));
  return requests[chapter] * factors.reduce((sum, factor) => sum + factor, 0);
}
