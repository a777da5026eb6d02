// Servers whose responses have a wrong status, media type or form.
import { fault, faultsOf, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { change, drop, lowerCase, memory, replacing, set, text } from '../testing/faults/wire/objects.js';
import { shown, shownHeader, shownText, status } from '../testing/faults/wire/replies.js';
import { every, refuse, sent, withType } from '../testing/faults/wire/requests.js';
import { transportFaults } from './transportFaults.js';

const map = 'GET …/configmaps/{name}';
const inJson = ', Accept application/json';
const inYaml = ', Accept application/yaml';
const object = (plural: string): string => `GET …/${plural}/{name}${inJson}`;

const deployment = '/apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}';
const version = memory('metadata.resourceVersion');
const inMilliseconds = (time: unknown): number => Date.parse(String(time));

export const faults = [
  ...transportFaults,
  ...faultsOfEveryKind('responses', [
    fault('answers creates with 201', 'status in configmaps', [status('POST', 200, 201)]),
    fault('calls everything JSON', 'media-type body-decodes body-fields body-kind body-schema clauses errors.accept in configmaps', [
      shownHeader(every, 'content-type', 'application/json'),
    ]),
    fault(
      'forgets apiVersion and kind',
      `body-fields body-kind clauses create.answer create.effect-list create.effect-read create.one-state delete.answer deleteCollection.answer list.empty list.kind read.object
       replace.answer replace.effect-list replace.effect-watch replace.one-state in configmaps`,
      [shown(every, drop('kind', 'apiVersion'))],
    ),
    fault('takes JSON only', 'request-type request-understood in configmaps', [refuse(withType(/^application\/yaml$/), 400)]),
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
    fault('writes protocols in lower case', `body-schema in ${object('services')}`, [
      shown('Service', text('spec.ports.*.protocol', lowerCase)),
    ]),
    fault('forgets the names of containers', `body-schema in ${object('pods')}`, [shown('Pod', drop('spec.containers.*.name'))]),
    fault('writes yes in YAML without quotes', `body-schema in ${map}${inYaml}`, [
      shownText(every, replacing('metadata:\n', 'metadata:\n  annotations: {some: yes}\n'), /yaml/),
    ]),
    fault('says a key of YAML twice', `body-decodes body-fields body-kind body-schema in ${map}${inYaml}`, [
      shownText(every, replacing(/$/, 'kind: ConfigMap\n'), /yaml/),
    ]),
  ]),
];
