// Servers that delete nothing, or more than the requested object.
import { fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { alsoDeletes, alsoEdits } from '../testing/faults/wire/neighbours.js';
import { drop } from '../testing/faults/wire/objects.js';
import { swallow } from '../testing/faults/wire/requests.js';

const lastOf = (path: string): string => path.replace(/\?.*/, '').split('/').at(-1) ?? '';

export const faults = faultsOfEveryKind('delete', [
  fault(
    'reports a delete and does not do it',
    `responses.media-type responses.request-understood responses.type-without-body absent create.name-length create.name-words effect-list effect-read without-options errors.not-acceptable
     errors.unauthenticated errors.unauthenticated-status in /configmaps`,
    [swallow(/^DELETE .*\/configmaps\//)],
  ),
  fault('empties the other objects on a delete', 'spares-others › DELETE …/configmaps', [
    alsoEdits(/^DELETE .*\/configmaps\//, drop('data')),
  ]),
  fault('deletes every object of a name, wherever it is', 'spares-others › DELETE …/configmaps', [
    alsoDeletes(/\/configmaps\//, (path, made) => lastOf(path) === lastOf(made.path) && /configmaps/.test(made.path)),
  ]),
  fault('deletes what begins with the name', 'spares-others › DELETE …/configmaps', [
    alsoDeletes(/\/configmaps\//, (path, made) => made.path.startsWith(`${path}-`)),
  ]),
  fault('deletes the object of a name and another kind', 'spares-others › DELETE …/endpoints', [
    alsoDeletes(/\/endpoints\//, (path, made) => made.path === path.replace('/endpoints/', '/configmaps/')),
  ]),
]);
