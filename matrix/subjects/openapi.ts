// The subject sets of the server's own OpenAPI: the operations with one response body of kinds that only a target knows.
import { perOperation, type Subject, type Table, tableOf } from './build.js';

/** Returns the subject sets of this file for the operations of a table. */
export const openapiSetsOf = ({ plain, withVerbs }: Table) => ({
  declaredAnswers: perOperation(plain),
  declaredAccepts: perOperation(plain),
  declaredBodies: perOperation(plain.filter(({ body }) => body === 'object' || body === 'patch')),
  declaredParameters: perOperation(plain.filter(({ verb }) => verb !== 'discover')),
  declaredSelections: perOperation(withVerbs('list', 'listAll')),
  declaredDryRuns: perOperation(plain.filter(({ method }) => method !== 'GET')),
});

// The rules of the interface hold for its own kinds, whatever a target declares about them.
export const openapiSets = openapiSetsOf(tableOf([])) satisfies Record<string, readonly Subject[]>;
