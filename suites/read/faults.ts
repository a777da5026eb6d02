// Servers that return other objects than they store.
import { type Broken, conformant, fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { drop, set, where } from '../testing/faults/wire/objects.js';
import { errors, replace, shown } from '../testing/faults/wire/replies.js';
import { instead, refuse, some } from '../testing/faults/wire/requests.js';

/** Shows each read of a ConfigMap with a version that no other response has. */
function anotherVersion(): Broken {
  let version = 900_000_000;
  return shown('GET ConfigMap', (object) => {
    version += 1;
    return set('metadata.resourceVersion', String(version))(object);
  });
}

/** Shows each read of a ConfigMap with other data, by a writer that is not the suite. */
function writtenByController(): Broken {
  let count = 0;
  return shown('GET ConfigMap', (object) => {
    count += 1;
    const writer = { manager: `controller-${count}`, operation: 'Update' };
    return set('metadata.managedFields', [writer])(set('metadata.annotations', { [`by-${count}`]: 'controller' })(object));
  });
}

export const faults = faultsOfEveryKind('read', [
  fault('says that an absent object is there', 'absent other-namespace in GET …/configmaps/', [replace('GET', 404, some('ConfigMap'))]),
  fault('says no word of what is absent', 'absent delete.absent in …/configmaps/{name}', [errors(where('code', 404, drop('message')))]),
  fault('reads names regardless of case', 'absent › GET …/configmaps', [
    instead(/^GET .*\/KAC-[^?]*$/, ({ path }) => ({ path: path.toLowerCase() })),
  ]),
  // Its operations are served all the same.
  fault('names what is absent in its message alone', 'absent in GET …/configmaps/{name}', [conformant, errors(drop('details'))]),
  fault('names another kind than that of what is absent', 'absent delete.absent in …/configmaps/{name}', [
    errors(where('code', 404, set('details.kind', 'secrets'))),
  ]),
  fault('names another group than that of what is absent', 'absent delete.absent in …/configmaps/{name}', [
    errors(where('code', 404, set('details.group', 'core'))),
  ]),
  fault('refuses a read since a version', 'identity › GET …/configmaps', [refuse(/^GET .*\/configmaps\/[^/]+\?resourceVersion=/, 400)]),
  fault('gives every read another version', 'identity › GET …/configmaps', [anotherVersion()]),
  fault(
    'changes an object at each read, and names a controller as its writer',
    'create.one-state in create.one-state › POST …/configmaps',
    [writtenByController()],
  ),
  fault(
    'gives every read another uid',
    `create.codecs create.large create.one-state create.taken-name deleteCollection.spares-unselected list.content list.same-name identity
     replace.codecs replace.effect-read replace.identity replace.name-mismatch replace.no-change replace.one-state replace.other-uid
     replace.stale in configmaps`,
    [shown('GET ConfigMap', set('metadata.uid', 'another'))],
  ),
]);
