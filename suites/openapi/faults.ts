// Servers that break the word of their own OpenAPI, on the custom resource that the suite finds there.
import { fault, faultsOf } from '../testing/faults/wire/fault.js';
import { set } from '../testing/faults/wire/objects.js';
import { shown, shownHeader, status } from '../testing/faults/wire/replies.js';
import { ignore, refuse, withHeader, withType } from '../testing/faults/wire/requests.js';

const all = '/apis/example.com/v1/widgets';
const collection = '/apis/example.com/v1/namespaces/{namespace}/widgets';
const object = `${collection}/{name}`;
const ofWidgets = / \/apis\/example\.com\/v1\/namespaces\/[^/]+\/widgets/;
const reads = /^GET .*\/widgets\/[^/]+$/;

const own = faultsOf('openapi', [
  fault('answers a create with a status that it does not declare', `status › POST ${collection}`, [status('POST', 201, 203)]),
  fault('names a type that it does not declare', `media-type › GET ${object}`, [shownHeader(reads, 'content-type', 'text/html')]),
  fault('shows a number as a text', `body-schema › GET ${object}`, [shown('Widget', set('spec.replicas', 'one'))]),
  fault('shows a number of a list as a text', `body-schema › GET ${all}`, [shown('WidgetList', set('items.*.spec.replicas', 'one'))]),
  fault('shows a value that its enum lacks', `body-schema › PATCH ${object}`, [shown('Widget', set('spec.color', 'blue'))]),
  fault('declares YAML and does not send it', `accept › GET ${object}`, [refuse(withHeader('accept', /yaml/), 406)]),
  fault('declares merge patches and does not take them', `content-type › PATCH ${object}`, [refuse(withType(/merge-patch/), 415)]),
  fault('declares pretty and refuses it', `parameters › GET ${object}`, [refuse(/pretty=/, 400)]),
  fault('declares label selectors and ignores them', `parameter-effects › GET ${collection}`, [ignore(ofWidgets, 'labelSelector')]),
  fault('declares a limit and ignores it', `parameter-effects › GET ${all}`, [ignore(/ \/apis\/example\.com\/v1\/widgets/, 'limit')]),
  fault('declares dryRun and stores the object', `dry-run › POST ${collection}`, [ignore('POST', 'dryRun')]),
  fault('declares dryRun and deletes the object', `dry-run › DELETE ${object}`, [ignore('DELETE', 'dryRun')]),
]);

/** A violation is found in the responses to the cases of other chapters too. */
const beside = faultsOf('replace', [
  fault('shows a text for a number where another chapter looks', `openapi.body-schema in replace.effect-read › PUT ${object}`, [
    shown('Widget', set('status.replicas', 'one')),
  ]),
]);

export const faults = [...own, ...beside].map((row) => ({ ...row, ofFound: true as const }));
