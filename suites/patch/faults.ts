// Servers that apply patches wrongly.
import { at, isObject, type Json, type JsonObject } from '../client/json.js';
import { readYaml } from '../client/yaml.js';
import { type Broken, conformant, fault, faultsOf, notConformant, type WireRequest } from '../testing/faults/wire/fault.js';
import { change, drop, fromJson, items, replacing, set, twice, where } from '../testing/faults/wire/objects.js';
import { anyStatus, errors, isError, listed, replace, shown } from '../testing/faults/wire/replies.js';
import {
  every,
  header,
  instead,
  not,
  type Requests,
  refuse,
  reroute,
  sent,
  sentText,
  some,
  withBody,
  withType,
} from '../testing/faults/wire/requests.js';
import { events, told } from '../testing/faults/wire/watches.js';

const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const map = 'PATCH …/configmaps/{name}';
const deployment = 'PATCH /apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}';
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
/** Leaves of a patch what it changes in the metadata, and in the kind, which no patch may change. */
function metadataAlone(body: string): string {
  const patch = fromJson(body);
  const isKept = (field: string): boolean => ['apiVersion', 'kind', 'metadata'].includes(field);
  if (isObject(patch)) return JSON.stringify(Object.fromEntries(Object.entries(patch).filter(([field]) => isKept(field))));
  return JSON.stringify([patch].flat().filter((operation) => isKept(String(at(operation, 'path')).split('/')[1] ?? '')));
}
const isNoPatch: Requests = (request) => {
  const patch = fromJson(request.body);
  return typeOf(request) === jsonPatch ? !Array.isArray(patch) : !isObject(patch);
};

/** Replaces a list of a pod template instead of merging it. */
const replacesList = (list: string): Broken =>
  sent(
    patches(strategicPatch),
    where(
      `spec.template.spec.${list}`,
      Array.isArray,
      change(`spec.template.spec.${list}`, (items) => [{ $patch: 'replace' }, items ?? []].flat() as Json),
    ),
  );

const widgets = /^PATCH .*\/widgets\//;
const applies: Requests = [widgets, withType(/apply-patch/)];
const inWidgets = (names: string): string => `${names} in patch.apply*PATCH /apis/example.com/v1/namespaces/{namespace}/widgets/{name}`;
const remembered = new Map<string, Json>();

const zerosOf = 'PATCH …/replicationcontrollers/{name}, zeros';

/** Servers that take a zero, a false or what is empty in a patch for nothing. */
const ofZeros = faultsOf('patch', [
  ...[
    ['merge', mergePatch],
    ['strategic', strategicPatch],
  ].flatMap(([of = '', type = '']) =>
    ['replicas', 'template.spec.terminationGracePeriodSeconds', 'template.spec.securityContext.runAsNonRoot'].map((field) =>
      fault(`changes no ${field} to a zero by a ${of} patch`, `${of}-patch › ${zerosOf}`, [
        sent(
          patches(type),
          change(`spec.${field}`, (value) => value || undefined),
        ),
      ]),
    ),
  ),
  ...(
    [
      ['a zero', 0, zerosOf],
      ['an empty text', '', zerosOf],
      ['an empty list', [], 'PATCH …/serviceaccounts/{name}, an empty'],
      ['an empty map', {}, `${map}, an empty`],
    ] as const
  ).map(([what, value, on]) =>
    fault(`skips the operations of a JSON patch with ${what}`, `json-patch › ${on}`, [
      sentText(patches(jsonPatch), (body) => {
        const patch = fromJson(body);
        const isSkipped = (one: Json): boolean => at(one, 'op') !== 'test' && JSON.stringify(at(one, 'value')) === JSON.stringify(value);
        return Array.isArray(patch) ? JSON.stringify((patch as Json[]).filter((one) => !isSkipped(one))) : body;
      }),
    ]),
  ),
]);

/** Servers whose apply does something else than a create and a merge patch. The kinds of the interface may have none. */
const ofApplies = faultsOf('patch', [
  fault('takes an apply for a merge patch', inWidgets('apply apply-conflict apply-creates'), [header(applies, 'content-type', mergePatch)]),
  fault('forces every apply', inWidgets('apply-conflict'), [reroute(applies, /$/, '&force=true')]),
  fault('stores the values of an apply in lower case', inWidgets('apply apply-creates'), [
    sent(
      applies,
      change('metadata.labels.*', (value) => String(value).toLowerCase()),
    ),
  ]),
  fault('drops the annotations of an apply', inWidgets('apply apply-creates'), [sent(applies, drop('metadata.annotations'))]),
  fault('keeps what an apply leaves out', inWidgets('apply'), [
    sent(
      applies,
      change('metadata.labels', (labels, { metadata }) => {
        const name = String(at(metadata, 'name'));
        const all = { ...(remembered.get(name) as JsonObject | undefined), ...(labels as JsonObject) };
        remembered.set(name, all);
        return all;
      }),
    ),
  ]),
  fault('labels what it applies', inWidgets('apply apply-conflict apply-creates'), [
    shown('GET Widget', set('metadata.labels.applied', 'yes')),
  ]),
]).map((row) => ({ ...row, ofFound: true as const }));

/** Servers that patch the metadata of an object alone. */
const ofMetadata = faultsOf(
  'patch',
  (
    [
      ['events', mergePatch],
      ['horizontalpodautoscalers', mergePatch],
      ['thirdpartyresources', jsonPatch],
      ['persistentvolumes', jsonPatch],
      ['ingresses', strategicPatch],
      ['endpoints', strategicPatch],
    ] as const
  ).map(([plural, type]) =>
    fault(
      `changes only the metadata of ${plural} by ${type}`,
      `answer effect-list effect-read effect-watch in patch.*/${plural}/{name}, ${type}`,
      [sentText([patches(type), new RegExp(`/${plural}/[^/]+$`)], metadataAlone)],
    ),
  ),
);

const ofPatches = faultsOf(`patch › ${map}`, [
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
  fault('does the first operation only', 'json-patch json-patch-all-or-nothing json-patch-pointers json-patch-test-race in .json-patch', [
    firstOperation,
  ]),
  fault(
    'skips operations that fail',
    `json-patch-all-or-nothing json-patch-malformed json-patch-missing-path json-patch-test json-patch-test-race in .json-patch`,
    [replace('PATCH', isError, some('ConfigMap'))],
  ),
  fault(
    'answers 500 for what fails of a JSON patch',
    `json-patch-all-or-nothing-answer json-patch-malformed-answer json-patch-missing-path-answer json-patch-test-answer in .json-patch`,
    [conformant, replace('PATCH', isError, 500)],
  ),
  fault('reads patches as YAML', 'json-patch-malformed merge-patch-malformed strategic-malformed in no JSON', [
    sentText(['PATCH', not(withBody(/^[[{]/))], (body) => {
      try {
        return JSON.stringify(readYaml(body));
      } catch {
        return body;
      }
    }),
  ]),
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
  fault('takes a merge patch for a strategic one', 'merge-patch-lists merge-patch-malformed in .merge-patch', [
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
  fault('deletes the first of the values that a patch lists', `strategic-delete-primitives › ${map}, finalizers`, [
    sent(
      'PATCH',
      change('metadata.$deleteFromPrimitiveList/finalizers', (values) => (Array.isArray(values) ? values.slice(0, 1) : values)),
    ),
  ]),
  fault('stores another value than it answers', `merge-patch › ${map}, a value`, [
    sent(patches(mergePatch), where('data.a', '9', set('data.a', '8'))),
    shown('PATCH', where('data.a', '8', set('data.a', '9'))),
  ]),
  fault('takes no patch that names its kind', `merge-patch › ${map}, a new value`, [
    refuse([patches(mergePatch), withBody(/"kind":"ConfigMap"/)], 400),
  ]),
  fault('drops the labels of what is patched', `merge-patch › ${map}, a new value`, [
    sent(patches(mergePatch), set('metadata.labels', null)),
  ]),
  fault('notes in an annotation who patched', `merge-patch › ${map}, a value`, [
    sent(patches(mergePatch), set('metadata.annotations.patched-by', 'me')),
  ]),
  fault(
    'drops the other annotations in a merge patch',
    `effect-list effect-read effect-watch answer in patch.*/configmaps/{name}, ${mergePatch}`,
    [sent(patches(mergePatch), set('metadata.annotations', null))],
  ),
  fault('drops a map that a merge patch empties of one name', `merge-patch-null › ${map}, a value`, [
    sent(patches(mergePatch), where('data.a', null, set('data', null))),
  ]),
  fault('merges the lists of a merge patch by index', 'merge-patch-lists › PATCH …/serviceaccounts/{name}, a shorter list', [
    sent(
      patches(mergePatch),
      change('imagePullSecrets', (list) => [list, { name: 'b' }].flat() as Json),
    ),
  ]),
  fault('drops what is beyond ASCII in a patch', `merge-patch › ${map}, any text`, [
    sentText('PATCH', (body) => body.replace(/[^\x20-\x7e]/gu, '?')),
  ]),
  fault('swaps the two escapes of a pointer', 'json-patch-pointers › ', [
    sentText(patches(jsonPatch), (body) => body.replace(/~([01])/g, (_, digit) => `~${1 - Number(digit)}`)),
  ]),
  fault('decodes ~01 of a pointer as a slash', `json-patch-pointers › ${map}, ~01`, [sentText(patches(jsonPatch), replacing('~01', '~1'))]),
  fault('skips the tests of a JSON patch', 'json-patch-all-or-nothing json-patch-test json-patch-test-race in .json-patch', [
    operations((all) => all.filter((operation) => at(operation, 'op') !== 'test')),
  ]),
  fault('copies where a JSON patch moves', `json-patch › ${map}, move`, [sentText(patches(jsonPatch), replacing(/"move"/, '"copy"'))]),
  fault('adds what a JSON patch moves before it removes it', 'json-patch › PATCH …/serviceaccounts/{name}, a move within a list', [
    operations((all) => all.flatMap(inTwoSteps)),
  ]),
  fault('changes what was copied where it was copied from', 'json-patch › PATCH …/serviceaccounts/{name}, a change of what was copied', [
    operations((all) => all.flatMap((operation) => [operation, ...sharedWith(operation, all)])),
  ]),
  fault('tests only the names of a map that the patch has', `json-patch-test › ${map}, a map that is longer`, [
    operations((all) => all.filter((operation) => at(operation, 'op') !== 'test' || !isObject(at(operation, 'value')))),
  ]),
  ...(
    [
      ['a null that a JSON patch adds', 'add a null', /"op":"add"[^}]*"value":null/],
      ['a null by which a JSON patch replaces', 'replace by a null', /"op":"replace"[^}]*"value":null/],
      ['a copy over a value', 'copy over a value', /"copy".*"path":"\/data\/b"/],
      ['a move over a value', 'move over a value', /"move".*"path":"\/data\/b"/],
    ] as const
  ).map(([what, variant, body]) =>
    fault(`skips ${what}`, `json-patch › ${map}, ${variant}`, [empties([patches(jsonPatch), withBody(body)])]),
  ),
  fault('takes every value for one that is tested for null', `json-patch-test › ${map}, a null`, [
    empties(withBody(/"op":"test"[^}]*null/)),
  ]),
  fault('does not test the whole', `json-patch-test › ${map}, the whole`, [empties(withBody(/"op":"test","path":""/))]),
  fault('removes nothing for the whole', `json-patch-malformed › ${map}, the whole`, [empties(withBody(/"op":"remove","path":""/))]),
  fault('moves from nowhere', `json-patch-malformed › ${map}, no from`, [empties(withBody(/"op":"move","path"/))]),
  fault('breaks on a character of zero', 'hostile › server, a character', [refuse(withBody(/\\u0000/), 500)]),
  fault('refuses a member that RFC 6902 does not know', `json-patch › ${map}, a member that no operation has`, [
    refuse([patches(jsonPatch), withBody(/"comment"/)], 400),
  ]),
  fault('refuses to move a value onto itself', `json-patch › ${map}, move onto itself`, [
    refuse([patches(jsonPatch), withBody(/"from":"(.*?)","path":"\1"/)], 422),
  ]),
  fault('raises the version for a patch of nothing', `no-change › ${map}, ${mergePatch}`, [touches()]),
  fault('names another object than that with which a patch is in conflict', `stale in patch.stale*${map}, ${mergePatch}`, [
    errors(where('reason', 'Conflict', set('details.name', 'another'))),
  ]),
  fault('stores a stale patch and answers with a conflict', `refused-watch stale in ${map}, ${mergePatch}`, [
    sent('PATCH', where('metadata.labels.kube-api-conformance/changed', 'stale', drop('metadata.resourceVersion'))),
    replace(['PATCH', withBody(/"stale"/)], anyStatus, 409),
  ]),
  fault('reports what it refused', `refused-watch › ${map}, ${mergePatch}`, [
    events(every, (event) => [set('object.metadata.labels.kube-api-conformance/changed', 'stale')({ ...event }), event]),
  ]),
  fault('reports a patch without its change', `effect-watch › ${map}, ${mergePatch}`, [
    told(every, drop('object.metadata.labels.kube-api-conformance/changed')),
  ]),
  fault('lists what was patched without its change', `effect-list › ${map}, ${mergePatch}`, [
    listed(items((all) => all.map(drop('metadata.labels.kube-api-conformance/changed')))),
  ]),
  fault('does not see an empty list in a strategic merge patch', `strategic-whole-list › ${deployment}, command`, [
    sent(
      patches(strategicPatch),
      change('spec.template.spec.containers.*.args', (args) => (Array.isArray(args) && args.length === 0 ? undefined : args)),
    ),
  ]),
  fault('replaces the init containers of a template', `strategic-merge-key › ${deployment}, initContainers by name`, [
    replacesList('initContainers'),
  ]),
  fault('replaces the host aliases of a template', `strategic-merge-key › ${deployment}, hostAliases by ip`, [replacesList('hostAliases')]),
  fault('merges the tolerations of a template', `strategic-whole-list › ${deployment}, tolerations`, [
    sent(
      patches(strategicPatch),
      change('spec.template.spec.tolerations', (items) => [{ key: 'a', operator: 'Exists' }, items ?? []].flat() as Json),
    ),
  ]),
  fault('replaces a list that has a merge key', 'strategic-merge-key › PATCH …/services/{name}, ports by port', [
    sent(
      patches(strategicPatch),
      change('spec.ports', (list) => [{ $patch: 'replace' }, list ?? []].flat() as Json),
    ),
  ]),
]);

/** Edits the operations of JSON patches. */
function operations(edit: (all: readonly Json[]) => readonly Json[]): Broken {
  return sentText(patches(jsonPatch), (body) => {
    const patch = fromJson(body);
    return Array.isArray(patch) ? JSON.stringify(edit(patch as readonly Json[])) : body;
  });
}

/** Returns a move as an addition and a removal at the place that the value had before. */
const inTwoSteps = (operation: Json): readonly Json[] => {
  const { op, from, path } = operation as JsonObject;
  return op === 'move' && from !== path
    ? [
        { op: 'copy', from: from ?? '', path: path ?? '' },
        { op: 'remove', path: from ?? '' },
      ]
    : [operation];
};

/** Returns the same change of the value of which a JSON patch has copied the one that an operation changes. */
const sharedWith = (operation: Json, all: readonly Json[]): readonly Json[] => {
  const copied = all.find((other) => at(other, 'op') === 'copy');
  return copied !== undefined && at(operation, 'op') === 'replace'
    ? [{ ...(operation as JsonObject), path: `${at(copied, 'from')}/name` }]
    : [];
};

/** Changes an annotation with each patch that changes nothing. */
function touches(): Broken {
  let count = 0;
  return sentText(['PATCH', withBody(/^\{\}$/)], () => {
    count += 1;
    return JSON.stringify({ metadata: { annotations: { touched: String(count) } } });
  });
}

export const faults = [...ofPatches, ...ofMetadata, ...ofZeros, ...ofApplies];
