// Servers that apply patches wrongly.
import { isObject } from '../client/json.js';
import { type Broken, conformant, fault, faultsOf, notConformant, type WireRequest } from '../testing/faults/wire/fault.js';
import { drop, fromJson, replacing, set, twice, where } from '../testing/faults/wire/objects.js';
import { anyStatus, isError, listed, replace, shown } from '../testing/faults/wire/replies.js';
import {
  every,
  header,
  instead,
  type Requests,
  refuse,
  sent,
  sentText,
  some,
  withBody,
  withType,
} from '../testing/faults/wire/requests.js';

const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const map = 'PATCH …/configmaps/{name}';
const ofTypes = `in ${map}, application/`;

const typeOf = ({ headers }: WireRequest): string => headers['content-type'] ?? '';
const patches = (type: string): Requests => ['PATCH', (request) => typeOf(request) === type];
/** Treats patches as patches that change nothing. */
const empties = (which: Requests): Broken => instead(which, (request) => ({ body: typeOf(request) === jsonPatch ? '[]' : '{}' }));
/** Replaces the data of an object instead of merging it. */
const replacesData = sent('PATCH', where('data', isObject, set('data.$patch', 'replace')));
const ofWriter3 = ['PATCH', withBody(/writer-3/)];
const firstOperation = sentText('PATCH', (body) => {
  const patch = fromJson(body);
  return Array.isArray(patch) ? JSON.stringify(patch.slice(0, 1)) : body;
});
const isNoPatch: Requests = (request) => {
  const patch = fromJson(request.body);
  return typeOf(request) === jsonPatch ? !Array.isArray(patch) : !isObject(patch);
};

export const faults = faultsOf(`patch › ${map}`, [
  fault(
    'reports a patch and does not do it',
    `answer concurrent current effect-list effect-read effect-watch invalid-result other-kind other-uid rename stale type-parameters
     ${ofTypes}`,
    [empties(['PATCH', withType(/patch\+json/)])],
  ),
  fault('answers a patch with what was there before', `answer current no-change type-parameters ${ofTypes}`, [
    shown('PATCH', drop('metadata.labels')),
  ]),
  fault('forgets the data of what is patched', 'effect-read', [sent(patches(mergePatch), set('data', null))]),
  fault('lists what was patched twice', 'effect-list', [listed(twice)]),
  fault('says that the object moved though nothing changed', 'no-change', [shown('PATCH', set('metadata.resourceVersion', '999999999'))]),
  fault('does not know a patch type that has a parameter', `type-parameters ${ofTypes}`, [refuse(['PATCH', withType(/;/)], 415)]),
  fault('takes every body for a merge patch', 'without-type', [header('PATCH', 'content-type', mergePatch)]),
  fault('leaves out of a patch what it cannot change', `invalid-result other-kind other-uid rename stale in ${map}, ${mergePatch}`, [
    sent('PATCH', drop('kind', 'apiVersion', 'metadata.name', 'metadata.namespace', 'metadata.uid')),
    sent('PATCH', drop('metadata.resourceVersion', 'metadata.labels.-')),
  ]),
  fault('does what a patch says and reports an error', `rename › ${map}, ${mergePatch}`, [
    sent('PATCH', drop('metadata.name', 'metadata.namespace')),
    replace('PATCH', anyStatus, 400),
  ]),
  fault('finds what is absent', 'absent', [replace('PATCH', 404, some('ConfigMap'))]),
  fault('loses a patch that ran with others', 'concurrent', [empties(ofWriter3)]),
  fault('does not try a patch again', 'concurrent', [refuse(ofWriter3, 409)]),
  fault('breaks on a prototype', 'hostile › server, __proto__', [refuse(withBody(/__proto__/), 500)]),
  fault('does the first operation only', 'json-patch json-patch-all-or-nothing json-patch-pointers in .json-patch', [firstOperation]),
  fault(
    'skips operations that fail',
    `json-patch-all-or-nothing json-patch-malformed json-patch-missing-path json-patch-test in .json-patch`,
    [replace('PATCH', isError, some('ConfigMap'))],
  ),
  fault(
    'answers 500 for what fails of a JSON patch',
    `json-patch-all-or-nothing-answer json-patch-malformed-answer json-patch-missing-path-answer json-patch-test-answer in .json-patch`,
    [conformant, replace('PATCH', isError, 500)],
  ),
  fault('keeps what a JSON patch did before it failed', 'json-patch-all-or-nothing › ', [
    notConformant,
    firstOperation,
    replace('PATCH', anyStatus, 422),
  ]),
  fault('takes what is not a patch for an empty one', 'json-patch-malformed merge-patch-malformed strategic-malformed in -malformed › ', [
    empties(['PATCH', isNoPatch]),
  ]),
  fault('replaces the maps that a merge patch names', 'merge-patch', [replacesData, header('PATCH', 'content-type', strategicPatch)]),
  fault('does not see a null in a merge patch', 'merge-patch-null in .merge-patch', [
    notConformant,
    sentText(every, replacing(/"[^"]+":null,?/g, '')),
  ]),
  fault('takes a merge patch for a strategic one', 'merge-patch-lists in .merge-patch', [
    notConformant,
    header(patches(mergePatch), 'content-type', strategicPatch),
  ]),
  fault('replaces the maps that a strategic merge patch names', 'strategic-patch', [replacesData]),
  fault(
    'takes a strategic merge patch for a merge patch',
    `strategic-delete strategic-delete-primitives strategic-malformed strategic-merge strategic-merge-key strategic-null strategic-order
     strategic-primitive-list strategic-replace strategic-retain-keys strategic-unknown-directive strategic-whole-list
     strategic-without-key in .strategic-`,
    [header(patches(strategicPatch), 'content-type', mergePatch)],
  ),
]);
