// Selectors: the objects that a list and a delete-collection select; invalid selectors are refused.

import { equal, fail, status, statusObject } from '../client/expect.js';
import { at, namesIn } from '../client/json.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import {
  deleteByFields,
  deleteByLabels,
  deleteEverything,
  deleteMalformed,
  deletesNothing,
  deletesSelected,
  emptiesNamespace,
} from './deletes.js';
import { deleteByEachField, deletesByEachField, selectByField, selectsByField } from './fields.js';
import { askAll, askMalformed, watchMalformed } from './lists.js';
import {
  type AskedList,
  holdsAll,
  knowsField,
  leavesOut,
  type Selectable,
  selects,
  sendSelection,
} from './selected.js';
import { followsFieldSelector, followsLabelSelector, watchOneSelected } from './watchesOfOne.js';

defineChapter('selectors', [
  group({
    subjects: 'selections',
    setup: ({ operation }, { client, sandbox }) => askAll(operation, client, sandbox),
    checks: {
      everything: ({ objects, across, everything }) => {
        for (const asked of everything) {
          holdsAll(asked, objects, 'one', 'two', 'three', 'stranger', ...namesakes(objects, across));
        }
      },
      labels: ({ objects, equals, noMatch }) => {
        selects(equals[0] as AskedList, objects, 'one', 'two', 'three');
        selects(noMatch[0] as AskedList, objects);
      },
      fields: ({ objects, across, name, noMatch }) => {
        knowsField(name[0]);
        selects(name[0], objects, 'one', ...namesakes(objects, across));
        selects(noMatch[1] as AskedList, objects);
      },
      'label-equals': ({ objects, equals, otherCase }) => {
        for (const asked of equals) selects(asked, objects, 'one', 'two', 'three');
        selects(otherCase.value, objects);
      },
      'label-not-equals': ({ objects, notEquals }) => {
        for (const asked of notEquals) selects(asked, objects, 'two', 'three');
      },
      'label-in': (record) => {
        selects(record.in, record.objects, 'one', 'two', 'three', 'stranger');
        selects(record.inOne, record.objects, 'two');
      },
      'label-not-in': ({ objects, notIn }) => {
        for (const asked of notIn) selects(asked, objects, 'two', 'three');
      },
      'label-exists': ({ objects, exists, otherCase }) => {
        selects(exists, objects, 'one', 'two');
        selects(otherCase.key, objects, 'three');
      },
      'label-not-exists': ({ objects, notExists }) => selects(notExists, objects, 'three'),
      'label-empty-value': ({ objects, emptyValue, emptyOrX, notEmptyValue }) => {
        selects(emptyValue, objects, 'one');
        selects(emptyOrX, objects, 'one', 'two');
        selects(notEmptyValue, objects, 'two', 'three');
      },
      'label-and': ({ objects, and, andNone }) => {
        for (const asked of and) selects(asked, objects, 'one');
        selects(andNone, objects);
      },
      'label-prefix': ({ objects, prefixed, bare }) => {
        selects(prefixed, objects, 'two');
        selects(bare, objects, 'three');
      },
      'field-name': ({ objects, across, name, nameOfStranger, otherCase, spaces }) => {
        const [ofAll, ofGroup] = name;
        selects(ofAll, objects, 'one', ...namesakes(objects, across));
        selects(ofGroup, objects, 'one');
        selects(nameOfStranger, objects);
        selects(otherCase.name, objects);
        const [own, other] = spaces;
        if (own) selects(own, objects, 'one', 'two', 'three');
        if (other) selects(other, objects, ...namesakes(objects, across));
      },
      'field-not-equals': ({ objects, across, name, notName, notSpace }) => {
        knowsField(name[0]);
        selects(notName, objects, 'two', 'three');
        if (notSpace) selects(notSpace, objects, ...namesakes(objects, across));
      },
      'field-and': ({ objects, across, name, notNames, andName, andNoName, nameInSpace }) => {
        knowsField(name[0]);
        selects(notNames, objects, 'three');
        selects(andName, objects, 'one');
        selects(andNoName, objects);
        if (nameInSpace) selects(nameInSpace, objects, ...namesakes(objects, across));
      },
      both: ({ objects, across, name, both, bothNone, paged, informed }) => {
        knowsField(name[0]);
        selects(both, objects, 'one');
        leavesOut(paged, objects, 'two');
        selects(bothNone, objects);
        selects(informed, objects, 'one', 'three', ...namesakes(objects, across));
      },
      encoded: ({ objects, across, name, encoded, encodedName }) => {
        for (const asked of encoded) selects(asked, objects, 'one', 'two', 'three');
        knowsField(name[0]);
        selects(encodedName, objects, 'one', ...namesakes(objects, across));
      },
    },
  }),
  group({
    subjects: 'malformedSelections',
    setup: ({ operation }, { client, sandbox }) => askMalformed(operation, client, sandbox),
    checks: {
      'label-malformed': ({ labels }) => refused(labels),
      'field-malformed': ({ fields }) => refused(fields),
      'field-unsupported': ({ unsupported }) => refused(unsupported),
    },
  }),
  group({
    subjects: 'malformedWatches',
    setup: ({ operation }, { client, sandbox }) => watchMalformed(operation, client, sandbox),
    checks: { 'watch-malformed': (asked) => refused(asked) },
  }),
  group({
    subjects: 'selectedWatchesOfOne',
    setup: (subject, context) => watchOneSelected(subject, context),
    checks: {
      'watch-one-labels': (record) => followsLabelSelector(record),
      'watch-one-fields': (record) => followsFieldSelector(record),
    },
  }),
  group({
    subjects: 'selectedComponents',
    setup: async ({ operation }, { client }) => {
      const all = await sendSelection(client, operation.path, {});
      const name = at(all.reply.tryValue(), 'items', 0, 'metadata', 'name');
      if (typeof name !== 'string') fail(`${all.reply.request}: no component is listed`);
      return {
        name,
        fields: await sendSelection(client, operation.path, { fieldSelector: `metadata.name=${name}` }),
        others: await sendSelection(client, operation.path, { fieldSelector: `metadata.name!=${name}` }),
        labels: await sendSelection(client, operation.path, { labelSelector: 'kube-api-conformance/nothing=nothing' }),
      };
    },
    checks: {
      'component-statuses': ({ name, fields, others, labels }) => {
        const names = ({ reply }: AskedList) => namesIn(reply.value());
        status(labels.reply, 200);
        equal(names(labels).length, 0, `${labels.reply.request}: components with a label that none has`);
        knowsField(fields, others);
        for (const { reply } of [fields, others]) status(reply, 200);
        equal(names(fields).join(), name, `${fields.reply.request}: the components`);
        equal(names(others).includes(name), false, `${others.reply.request}: the component is listed`);
      },
    },
  }),
  group({
    subjects: 'fieldsOfKinds',
    setup: (subject, { client, sandbox }) => selectByField(subject, client, sandbox),
    checks: {
      'fields-select': (record) => {
        knowsField(record.equals, record.differs);
        selectsByField(record);
      },
      'field-of-kind': ({ equals, differs }) => {
        for (const { reply } of [equals, differs]) status(reply, 200);
      },
    },
  }),
  group({
    subjects: 'labelDeleteCollections',
    setup: ({ operation, variant = '' }, { sandbox }) => deleteByLabels(operation, variant, sandbox),
    checks: { 'delete-collection-labels': (record) => deletesSelected(record) },
  }),
  group({
    subjects: 'fieldDeleteCollections',
    setup: async ({ operation }, { client, sandbox }) => ({
      ...(await deleteByFields(operation, sandbox)),
      byEach: await deleteByEachField(operation, client, sandbox),
    }),
    checks: {
      'delete-collection-fields': (record) => {
        if (record.spared.length === 4) knowsField(record);
        equal(record.before.length, 4, `${record.reply.request}: the objects that are left of four with other labels`);
        deletesSelected(record);
        deletesSelected(record.others);
        deletesByEachField(record.byEach);
      },
    },
  }),
  group({
    subjects: 'malformedDeleteCollections',
    setup: ({ operation }, { client, sandbox }) => deleteMalformed(operation, client, sandbox),
    checks: { 'delete-collection-malformed': (record) => deletesNothing(record) },
  }),
  group({
    subjects: 'unselectedDeleteCollections',
    setup: ({ operation }, { sandbox }) => deleteEverything(operation, sandbox),
    checks: { 'delete-collection-everything': (record) => emptiesNamespace(record) },
  }),
]);

/** The objects of the name of `one` in other namespaces. */
const namesakes = ({ elsewhere, stranger }: Selectable, across: boolean) =>
  across && elsewhere !== stranger ? (['elsewhere'] as const) : [];

function refused(answers: readonly AskedList[]): void {
  for (const { reply } of answers) {
    status(reply, 400);
    statusObject(reply, 'BadRequest');
  }
}
