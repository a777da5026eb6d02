// Servers that delete the wrong objects of a collection.
import { at, itemsOf, type JsonObject } from '../client/json.js';
import { groupLabel } from '../objects/sandbox.js';
import { fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { alsoDeletes, keepsAfter } from '../testing/faults/wire/neighbours.js';
import { listed } from '../testing/faults/wire/replies.js';
import { every, reroute } from '../testing/faults/wire/requests.js';
import { events } from '../testing/faults/wire/watches.js';

export const faults = faultsOfEveryKind('deleteCollection', [
  fault(
    'ignores the selector of a delete-collection',
    `responses.status responses.media-type responses.body-decodes responses.body-fields responses.body-kind responses.body-schema answer
     effect-selected selected-listed spares-other-namespaces spares-unselected errors.not-acceptable in /configmaps`,
    [reroute(/^DELETE .*\/configmaps(\?|$)/, /\?.*/, ''), { blocks: true }],
  ),
  fault('deletes what is selected in every namespace', 'spares-other-namespaces › DELETE …/configmaps', [
    alsoDeletes(/configmaps\?/, (path, made) => labelOf(made.object) === selectedBy(path) && /configmaps/.test(made.path)),
  ]),
  fault('deletes what is selected of other kinds', 'spares-other-namespaces › DELETE …/endpoints', [
    alsoDeletes(
      /endpoints\?/,
      (path, made) => labelOf(made.object) === selectedBy(path) && made.path.startsWith(path.replace(/endpoints.*/, 'configmaps/')),
    ),
  ]),
  // Only of ConfigMaps are so many made: the text names no plural, which would stand for custom kinds too.
  fault('deletes the first hundred of what is selected', 'effect-selected in deleteCollection.effect-*/configmap', [
    keepsAfter(100, /\/configmaps$/, ({ object }) => labelOf(object)),
  ]),
  fault('deletes the first five hundred of what is selected', 'effect-selected in deleteCollection.effect-*505', [
    keepsAfter(500, /\/configmaps$/, ({ object }) => labelOf(object)),
  ]),
  fault('lists the first five hundred alone', 'selected-listed in deleteCollection.selected-*505', [
    listed((list) => (itemsOf(list).length > 500 ? { ...list, items: itemsOf(list).slice(0, 500) } : list)),
  ]),
  fault('begins a watch with the first five hundred alone', 'selected-listed in deleteCollection.selected-*505', [
    events(every, (event, past) => (past.length < 500 ? event : undefined)),
  ]),
  fault(
    'deletes what has a label that begins with the selected value',
    'spares-unselected spares-other-namespaces in DELETE …/configmaps',
    [
      alsoDeletes(
        /configmaps\?/,
        (path, made) => made.path.startsWith(path.replace(/\?.*/, '/')) && labelOf(made.object).startsWith(`${selectedBy(path)}-`),
      ),
    ],
  ),
]);

const labelOf = (object: JsonObject): string => String(at(object, 'metadata', 'labels', groupLabel));
const selectedBy = (path: string): string => new URLSearchParams(path.split('?')[1]).get('labelSelector')?.split('=')[1] ?? '';
