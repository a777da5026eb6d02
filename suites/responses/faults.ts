// Servers whose responses have a wrong status, media type or form.
import { isObject } from '../client/json.js';
import { type Broken, fault, faultsOf, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { change, drop, lowerCase, memory, replacing, set, text, where } from '../testing/faults/wire/objects.js';
import { shown, shownHeader, shownText, status } from '../testing/faults/wire/replies.js';
import { every, refuse, sent, withType } from '../testing/faults/wire/requests.js';
import { transportFaults } from './transportFaults.js';

const map = 'GET …/configmaps/{name}';
const inJson = ', Accept application/json';
const inYaml = ', Accept application/yaml';
const object = (plural: string): string => `GET …/${plural}/{name}${inJson}`;

const deployment = '/apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}';
/** The strings of a pattern are written in YAML without their quotes. */
const bare = (pattern: string): Broken => shownText(every, replacing(new RegExp(`(["'])(${pattern})\\1`, 'g'), '$2'), /yaml/);
const inLists = (edit: (body: string) => string): Broken =>
  shownText(every, (body) => (body.includes('ConfigMapList') ? edit(body) : body), /yaml/);

const withNulls = (path: string) =>
  change(path, (value) =>
    isObject(value) && value.name !== undefined
      ? { deletionTimestamp: null, generateName: null, finalizers: null, ownerReferences: null, ...value }
      : value,
  );

const version = memory('metadata.resourceVersion');
const inMilliseconds = (time: unknown): number => Date.parse(String(time));

export const faults = [
  ...transportFaults,
  ...faultsOf(
    'responses',
    [
      fault('writes null for what the metadata lack', ' in configmaps', [
        shown(every, withNulls('metadata')),
        shown(every, where('items', Array.isArray, withNulls('items.*.metadata'))),
      ]),
    ],
    ['responses', 'deleteCollection', 'replace'],
  ),
  ...faultsOfEveryKind('responses', [
    fault('answers creates with 201', 'status in configmaps', [status('POST', 200, 201)]),
    fault(
      'calls everything JSON',
      'media-type body-decodes body-fields body-kind body-schema clauses preferred-type strings in configmaps',
      [shownHeader(every, 'content-type', 'application/json')],
    ),
    fault(
      'forgets apiVersion and kind',
      `body-fields body-kind clauses views create.answer create.codecs create.effect-list create.effect-read create.large create.one-state create.taken-name create.unset-fields delete.answer deleteCollection.answer list.empty list.kind read.object
       replace.answer replace.codecs replace.effect-list replace.effect-watch replace.name-mismatch replace.one-state
       replace.other-uid replace.stale in configmaps`,
      [shown(every, drop('kind', 'apiVersion'))],
    ),
    fault('takes JSON only', 'body-carried request-type request-understood in configmaps', [refuse(withType(/^application\/yaml$/), 400)]),
    fault('answers a write with the version from before', 'answer-version › PUT …/configmaps', [
      sent('PUT', version.note),
      shown('PUT', version.put),
    ]),
    fault('answers a change of the scale without its version', `answer-version › PUT ${deployment}/scale`, [
      shown('Scale', drop('metadata.resourceVersion')),
    ]),
  ]),
  ...faultsOf(`responses in ${map}, Accept application/json`, [
    fault('does not name what it answers', 'body-fields', [shown(every, drop('metadata.name'))]),
    fault('does not say the namespace of what it answers', 'body-fields', [shown(every, drop('metadata.namespace'))]),
    fault('leaves the images of a Deployment out', `body-fields in GET ${deployment}${inJson}`, [
      shown('Deployment', drop('spec.template.spec.containers.*.image')),
    ]),
    fault('lists the values of Secrets as plain text', `body-fields body-schema in GET …/secrets${inJson}`, [
      shown('SecretList', set('items.*.data', { some: 'plain text' })),
    ]),
    fault('writes the time of creation as a number', 'body-schema', [shown(every, change('metadata.creationTimestamp', inMilliseconds))]),
    fault('writes ports as strings', `body-schema in ${object('services')}`, [shown('Service', text('spec.ports.*.port', String))]),
    fault('writes integers as floats', `body-schema in ${object('services')}`, [
      shownText(every, replacing(/("(?:port|targetPort)":\d+)(?=[,}])/g, '$1.0'), /json/),
    ]),
    fault('writes protocols in lower case', `body-schema in ${object('services')}`, [
      shown('Service', text('spec.ports.*.protocol', lowerCase)),
    ]),
    fault('forgets the names of containers', `body-schema in ${object('pods')}`, [shown('Pod', drop('spec.containers.*.name'))]),
    fault('says a key of YAML twice', `body-decodes body-fields body-kind body-schema in ${map}${inYaml}`, [
      shownText(every, replacing(/$/, 'kind: ConfigMap\n'), /yaml/),
    ]),
  ]),
  ...faultsOf('responses', [
    fault('writes yes in YAML without quotes', 'strings › GET …/configmaps', [bare('yes')]),
    fault('writes off in YAML without quotes', 'strings › GET …/configmaps', [bare('off')]),
    fault('writes true in YAML without quotes', 'strings › GET …/configmaps', [bare('true')]),
    fault('writes null in YAML without quotes', 'strings › GET …/configmaps', [bare('null')]),
    fault('writes ~ in YAML without quotes', 'strings › GET …/configmaps', [bare('~')]),
    fault('writes nothing for an empty string in YAML', 'strings › GET …/configmaps', [bare('')]),
    fault('writes integers of strings in YAML without quotes', 'strings › GET …/configmaps', [bare('-?[0-9]+')]),
    fault('writes 1e3 in YAML without quotes', 'strings › GET …/configmaps', [bare('1e3')]),
    fault('writes 0x1F in YAML without quotes', 'strings › GET …/configmaps', [bare('0x1F')]),
    fault('writes 1_000 in YAML without quotes', 'strings › GET …/configmaps', [bare('1_000')]),
    fault('writes a comment for a string in YAML', 'strings › GET …/configmaps', [bare('# a')]),
    fault('writes a map for a string in YAML', 'strings › GET …/configmaps', [bare('\\{a: b\\}')]),
    fault('writes a list for a string in YAML', 'strings › GET …/configmaps', [bare('\\[a\\]')]),
    fault('drops the blanks around a string in YAML', 'strings › GET …/configmaps', [bare(' a')]),
    fault('drops the last newline of a string in YAML', 'strings › GET …/configmaps', [
      shownText(every, replacing(/: \|\+?$/gm, ': |-'), /yaml/),
    ]),
    fault('writes keys of YAML without quotes', 'strings › GET /apis/extensions/v1beta1/namespaces/{namespace}/ingresses', [
      shownText(every, replacing(/^( +)(["'])([\w.]+)\2:/gm, '$1$3:'), /yaml/),
    ]),
    fault('quotes in an object, and not in a list', 'strings › GET …/configmaps', [inLists(replacing(/(["'])yes\1/g, 'yes'))]),
  ]),
];
