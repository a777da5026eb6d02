// Servers that select by labels and fields wrongly.
import { conformant, fault, faultsOf, notConformant } from '../testing/faults/wire/fault.js';
import { selectsBy } from '../testing/faults/wire/neighbours.js';
import { change, items, keepFirst, replacing } from '../testing/faults/wire/objects.js';
import { anyStatus, replace, shown } from '../testing/faults/wire/replies.js';
import { every, ignore, not, refuse, reread, reroute, sent, swallow } from '../testing/faults/wire/requests.js';
import { events } from '../testing/faults/wire/watches.js';

const list = 'GET …/configmaps';
const one = 'GET /api/v1/watch/namespaces/{namespace}/limitranges/{name}';
const remove = 'DELETE …/configmaps';

/** Lists of any version, which a cache may serve. */
const ofAny = /^GET (?!.*watch=).*[?&]resourceVersion=0(&|$)/;

const labels = (to: (selector: string) => string, of = 'GET') => reread(of, 'labelSelector', to);
const fields = (to: (selector: string) => string) => reread('GET', 'fieldSelector', to);
const first = (selector: string): string => selector.split(',')[0] ?? '';
const sameButForCase = (value: string, asked: string): boolean => value.toLowerCase() === asked.toLowerCase();
const malformed =
  /tier(%20|\+)in($|%20x|%20\(a$)|%3D%3D%3D|=%3D%3D|%2C%2C%2C|b%20c|Bad\*|bogus|metadata\.(name$|labels|uid)|a%3Db$|nope|kind%3D/;

export const faults = faultsOf(`selectors › ${list}`, [
  fault('watches one object whatever its labels are', `watch-one-labels › ${one}`, [ignore('GET', 'labelSelector')]),
  fault('tells nothing of one object where labels are selected', `watch-one-labels › ${one}`, [events(/labelSelector/, () => undefined)]),
  fault('watches no object where its own name is selected', `watch-one-fields › ${one}`, [
    notConformant,
    events(/fieldSelector/, () => undefined),
  ]),
  fault('watches one object whatever its fields are', `watch-one-fields › ${one}`, [ignore('GET', 'fieldSelector')]),
  fault('selects labels by the beginning of a value', `labels › ${list}`, [
    selectsBy('GET', 'labelSelector', (value, asked) => value.startsWith(asked)),
  ]),
  fault('selects labels whose value the selector begins with', `labels › ${list}`, [
    selectsBy('GET', 'labelSelector', (value, asked) => asked.startsWith(value)),
  ]),
  fault('selects names by their beginning', `fields › ${list}`, [
    selectsBy('GET', 'fieldSelector', (value, asked) => value.startsWith(asked)),
  ]),
  fault('selects names that the selector begins with', `fields › ${list}`, [
    selectsBy('GET', 'fieldSelector', (value, asked) => asked.startsWith(value)),
  ]),
  fault('selects the values of labels regardless of case', `label-equals › ${list}`, [selectsBy('GET', 'labelSelector', sameButForCase)]),
  fault(
    'folds the case of the labels that it stores',
    'delete-collection-labels label-and label-in label-not-equals label-not-in in configmaps',
    [
      sent(
        'POST ConfigMap',
        change('metadata.labels.*', (value) => String(value).toLowerCase()),
      ),
    ],
  ),
  fault('selects the keys of labels regardless of case', 'label-exists', [
    labels(replacing(/^kube-api-conformance\/Only-/, 'kube-api-conformance/only-')),
  ]),
  fault('finds one object of a name in all namespaces', 'fields field-name in selectors.*GET /api/v1/configmaps', [
    shown(['GET', not(/namespaces/), /fieldSelector=metadata.name(%3D|=)/], keepFirst('items')),
  ]),
  fault('selects names regardless of case', `field-name › ${list}`, [selectsBy('GET', 'fieldSelector', sameButForCase)]),
  fault(
    'ignores label selectors',
    `both encoded field-and field-name field-not-equals label-and label-empty-value label-equals label-exists label-in label-malformed
     label-not-equals label-not-exists label-not-in label-prefix labels watch-malformed in configmaps`,
    [ignore('GET', 'labelSelector')],
  ),
  fault(
    'ignores field selectors',
    `both encoded field-and field-malformed field-name field-not-equals field-unsupported fields watch-malformed in configmaps`,
    [ignore('GET', 'fieldSelector')],
  ),
  fault('selects by no field', 'field-name in configmaps', [conformant, refuse(/fieldSelector=./, 400)]),
  fault('takes == for !=', 'label-equals', [labels(replacing('==', '!='))]),
  fault('wants the label for !=', 'label-not-equals', [labels(replacing(/([^,]+)!=/, '$1,$1!='))]),
  fault('wants the label for notin', 'label-not-in', [labels(replacing(/([^, ]+) notin/, '$1,$1 notin'))]),
  fault('wants a blank before the values of a set', `label-in › ${list}`, [refuse(/labelSelector=[^&]*%20in\(/, 400)]),
  fault('knows no empty value in a set', `label-empty-value › ${list}`, [labels(replacing(/in \(,/, 'in ('))]),
  fault('goes on with a list whatever its fields are', `both › ${list}`, [ignore(/^GET .*[?&]continue=./, 'fieldSelector')]),
  fault('lists a page whatever its fields are', `both › ${list}`, [ignore(/^GET .*[?&]limit=1(&|$)/, 'fieldSelector')]),
  fault('reads the first value of a set only', 'label-in', [labels(replacing(/, [^)]*/, ''))]),
  fault('takes an empty value for none', 'label-exists', [labels(replacing(/^[^=!(]+$/, '$&,$&!='))]),
  fault('takes !key for an empty value', 'label-not-exists', [labels(replacing(/!([^,=]+)$/, '$1='))]),
  fault('takes key= for !key', 'label-empty-value', [labels(replacing(/^([^=]+)=$/, '!$1'))]),
  fault('reads the first requirement of labels only', 'label-and', [labels(first)]),
  fault('takes key!= for !key', 'label-empty-value', [labels(replacing(/([^,]+)!=$/, '!$1'))]),
  fault('takes key!= for key', 'label-empty-value', [labels(replacing(/([^,]+)!=$/, '$1'))]),
  fault('does not look at the prefix of a key', 'label-prefix', [labels(replacing('example.com/', ''))]),
  fault('reads the first requirement of fields only', 'field-and', [fields(first)]),
  fault('looks at the name alone where a namespace is selected too', `field-and › ${list}`, [
    fields(replacing(/^(metadata\.name=[^,]+),metadata\.namespace=.*/, '$1')),
  ]),
  fault('takes != for = in fields', 'field-not-equals', [fields(replacing('!=', '='))]),
  fault('does not know metadata.namespace', 'field-name', [ignore(/^GET .*fieldSelector=metadata\.namespace/, 'fieldSelector')]),
  ...['labelSelector', 'fieldSelector'].map((parameter) =>
    fault(`lists any version whatever its ${parameter} is`, `both › ${list}`, [ignore(ofAny, parameter)]),
  ),
  fault('lists any version of every namespace', `both › ${list}`, [reroute(ofAny, /\/namespaces\/[^/]+/, '')]),
  fault('lists every second object of any version', `both › ${list}`, [
    shown(
      ofAny,
      items((all) => all.filter((_, place) => place % 2 === 0)),
    ),
  ]),
  fault('has no limit for any version', `both › ${list}`, [refuse([ofAny, /[?&]limit=/], 400)]),
  fault('takes a space after a comma for a part of the key', `label-and › ${list}`, [refuse(/labelSelector=[^&(]*%2C%20/, 400)]),
  fault('takes an underscore in a value for any character', 'label-prefix › GET …/configmaps', [
    selectsBy('GET', 'labelSelector', (value, asked) => new RegExp(`^${asked.replaceAll('.', '\\.').replaceAll('_', '.')}$`).test(value)),
  ]),
  fault('refuses values with other characters than letters and dashes', `label-prefix › ${list}`, [
    refuse(/labelSelector=[^&]*_v1\.0/, 400),
  ]),
  fault('refuses the longest values of labels', `label-prefix › ${list}`, [refuse(/labelSelector=[^&]*x{20}/, 400)]),
  fault('lists every namespace but one as all of them', 'field-not-equals › GET /api/v1/configmaps', [
    ignore(/fieldSelector=metadata\.namespace!/, 'fieldSelector'),
  ]),
  fault('selects no events by the namespace of what they are about', 'field-of-kind › GET …/events, involvedObject.namespace', [
    conformant,
    refuse(/involvedObject\.namespace/, 400),
  ]),
  fault('reads one of two selectors only', 'both', [ignore(/^GET .*labelSelector=/, 'fieldSelector')]),
  fault('takes an empty selector for nothing', 'everything', [labels(replacing(/^$/, 'nobody-has-this'))]),
  fault('does not read + as a space', 'encoded', [reroute(every, /\+/g, '%2B')]),
  fault(
    'lists everything for what it does not understand',
    'label-malformed field-malformed field-unsupported watch-malformed in configmaps',
    [reroute(['GET', malformed], /[?,].*/, '')],
  ),
  // The second edit makes the server report a refusal after the delete.
  fault('deletes everything for what it does not understand', 'delete-collection-malformed in configmaps', [
    reroute(['DELETE', malformed], /[?,].*/, ''),
    replace(['DELETE', malformed], anyStatus, 400),
  ]),
  fault('lists every Pod where a phase is selected', 'fields-select › GET …/pods', [ignore(/status\.phase/, 'fieldSelector')]),
  fault('lists no Pod where a phase is selected', 'fields-select › GET …/pods', [
    fields(replacing('status.phase=Running', 'status.phase=Nowhere')),
  ]),
  fault('lists every Pod where a node is selected', 'fields-select › GET …/pods', [ignore(/spec\.nodeName/, 'fieldSelector')]),
  fault('takes != for = in the fields of a Pod', 'fields-select › GET …/pods', [fields(replacing(/^((?:spec|status)\.\w+)!=/, '$1='))]),
  fault('takes the Pods without a node for those with any', 'fields-select › GET …/pods', [
    fields(replacing(/^spec\.nodeName=$/, 'spec.nodeName!=')),
  ]),
  fault('lists every event where its object is selected', 'fields-select › GET …/events', [ignore(/involvedObject/, 'fieldSelector')]),
  fault('lists every node where spec.unschedulable is selected', 'fields-select › GET /api/v1/nodes', [
    ignore(/spec\.unschedulable/, 'fieldSelector'),
  ]),
  fault('lists every Secret where a type is selected', 'fields-select › GET …/secrets', [ignore(/fieldSelector=type/, 'fieldSelector')]),
  ...(
    [
      ['…/pods', 'spec\\.nodeName', 'every Pod where a node is selected'],
      ['…/pods', 'status\\.phase', 'every Pod where a phase is selected'],
      ['…/secrets', 'type', 'every Secret where a type is selected'],
      ['…/events', 'involvedObject', 'every event where its object is selected'],
      ['/api/v1/nodes', 'spec\\.unschedulable', 'every node where spec.unschedulable is selected'],
    ] as const
  ).map(([path, field, what]) =>
    fault(`watches ${what}`, `fields-select › GET ${path}`, [
      ignore([/[?&]watch=true/, new RegExp(`fieldSelector=${field}`)], 'fieldSelector'),
    ]),
  ),
  fault('does not know the phase of a Pod', 'field-of-kind › GET …/pods', [conformant, refuse(/fieldSelector=status\.phase/, 400)]),
  fault('takes the phase of every namespace for another', 'fields-select › GET /api/v1/namespaces', [
    fields(replacing('status.phase=Active', 'status.phase!=Active')),
  ]),
  fault('does not select components', 'component-statuses › ', [ignore('GET', 'fieldSelector')]),
  fault('deletes by the first requirement of labels only', `delete-collection-labels › ${remove}`, [labels(first, 'DELETE')]),
  fault('deletes without a look at the fields', `delete-collection-fields › ${remove}`, [ignore('DELETE', 'fieldSelector')]),
  fault('takes != for = in the fields of a delete-collection', `delete-collection-fields › ${remove}`, [
    reread('DELETE', 'fieldSelector', replacing('!=', '=')),
  ]),
  fault('deletes by the first requirement of fields only', `delete-collection-fields › ${remove}`, [
    reread('DELETE', 'fieldSelector', first),
  ]),
  ...(
    [
      ['…/pods', 'spec\\.nodeName', 'every Pod where a node is selected'],
      ['…/pods', 'status\\.phase', 'every Pod where a phase is selected'],
      ['…/secrets', 'type', 'every Secret where a type is selected'],
      ['…/events', 'involvedObject', 'every event where its object is selected'],
    ] as const
  ).map(([path, field, what]) =>
    fault(`deletes ${what}`, `delete-collection-fields › DELETE ${path}`, [
      ignore(['DELETE', new RegExp(`fieldSelector=${field}`)], 'fieldSelector'),
    ]),
  ),
  fault('deletes by no field but the name', 'delete-collection-fields › DELETE …/events', [
    refuse(['DELETE', /fieldSelector=(?!metadata)/], 400),
  ]),
  fault('deletes nothing where a selector is empty', `delete-collection-everything › ${remove}`, [
    swallow(/^DELETE .*Selector=(&|$)/, { kind: 'ConfigMapList', apiVersion: 'v1', items: [] }),
  ]),
  fault('deletes without a look at the labels where fields are selected', `delete-collection-fields › ${remove}`, [
    ignore(['DELETE', /fieldSelector/], 'labelSelector'),
  ]),
  fault('says that it emptied a namespace', `delete-collection-everything › ${remove}`, [
    swallow(/^DELETE .*configmaps$/, { kind: 'ConfigMapList', apiVersion: 'v1', items: [] }),
  ]),
  fault('watches everything where it does not understand', 'watch-malformed › GET /api/v1/watch/nodes', [
    reroute(every, /(label|field)Selector=[^&]*/, 'ignored=yes'),
  ]),
]);
