// Validation: defaults, refusals with the field that causes them, and immutable fields.

import { equal, fail } from '../client/expect.js';
import { at, isEnding } from '../client/json.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import * as allocation from './allocation.js';
import { defaultsAreThere, writeBare } from './bare.js';
import * as fields from './fields.js';
import { createInteger, isExact } from './integers.js';
import { nameIsJudged, tryLabels, tryName } from './names.js';
import { didNothing, isInvalid, namesField, refusedAsInvalid, sendInvalid } from './refusals.js';
import { createTime, timeIsJudged } from './times.js';
import * as updates from './updates.js';
import { createAllowed, isKept } from './values.js';
import { areBadRequests, writeWrongTypes } from './wrongTypes.js';

defineChapter('validation', [
  group({
    subjects: 'invalidBodies',
    setup: sendInvalid,
    checks: {
      invalid: isInvalid,
      'invalid-causes': namesField,
      'invalid-changes-nothing': didNothing,
    },
  }),
  group({
    subjects: 'missingFields',
    setup: sendInvalid,
    checks: { required: refusedAsInvalid },
  }),
  group({
    subjects: 'duplicateKeys',
    setup: sendInvalid,
    checks: { duplicates: refusedAsInvalid },
  }),
  group({
    subjects: 'mismatchedSelectors',
    setup: sendInvalid,
    checks: { 'selector-template': refusedAsInvalid },
  }),
  group({
    subjects: 'jobRestartPolicies',
    setup: sendInvalid,
    checks: { 'job-restart-policy': refusedAsInvalid },
  }),
  group({
    subjects: 'invalidProbes',
    setup: sendInvalid,
    checks: { probes: refusedAsInvalid },
  }),
  group({
    subjects: 'invalidVolumes',
    setup: sendInvalid,
    checks: { volumes: refusedAsInvalid },
  }),
  group({
    subjects: 'invalidBackends',
    setup: sendInvalid,
    checks: { 'ingress-backend': refusedAsInvalid },
  }),
  group({
    subjects: 'foreignEvents',
    setup: sendInvalid,
    checks: { 'event-namespace': refusedAsInvalid },
  }),
  group({
    subjects: 'thirdPartyNames',
    setup: sendInvalid,
    checks: { 'third-party-name': refusedAsInvalid },
  }),
  group({
    subjects: 'invalidPorts',
    setup: sendInvalid,
    checks: { 'service-ports': refusedAsInvalid },
  }),
  group({
    subjects: 'invalidUpdates',
    setup: updates.updateBadly,
    checks: { 'invalid-update': (refusals) => refusals.forEach(refusedAsInvalid) },
  }),
  group({
    subjects: 'wrongTypes',
    setup: writeWrongTypes,
    checks: { 'wrong-type': areBadRequests },
  }),
  group({
    subjects: 'unknownFields',
    setup: fields.writeUnknown,
    checks: { 'unknown-field': fields.unknownIsDropped },
  }),
  group({
    subjects: 'objectNames',
    setup: tryName,
    checks: { names: nameIsJudged },
  }),
  group({
    subjects: 'invalidLabels',
    setup: tryLabels,
    checks: { labels: refusedAsInvalid },
  }),
  group({
    subjects: 'fixedFields',
    setup: updates.changeFixed,
    checks: { immutable: refusedAsInvalid },
  }),
  group({
    subjects: 'creationTimes',
    setup: updates.changeTimes,
    checks: {
      'creation-time': (written) => {
        for (const { reply, before, after } of written) {
          const time = at(before, 'metadata', 'creationTimestamp');
          if (typeof time !== 'string') fail(`${reply.request}: the object had no creationTimestamp`);
          const now = at(after, 'metadata', 'creationTimestamp');
          equal(now, String(time), `${reply.request}: metadata.creationTimestamp`);
          if (isEnding(after)) fail(`${reply.request}: the object has a deletionTimestamp, and nobody deleted it`);
        }
      },
    },
  }),
  group({
    subjects: 'podUpdates',
    setup: updates.changePod,
    checks: { 'pod-update': updates.podChangeIsJudged },
  }),
  group({
    subjects: 'quantityForms',
    setup: fields.createQuantity,
    checks: { quantities: fields.quantityIsJudged },
  }),
  group({
    subjects: 'timeForms',
    setup: createTime,
    checks: { times: timeIsJudged },
  }),
  group({
    subjects: 'exactIntegers',
    setup: createInteger,
    checks: { integers: isExact },
  }),
  group({
    subjects: 'hostileQuantities',
    setup: fields.createHostileQuantity,
    checks: { hostile: fields.goesOn },
  }),
  group({
    subjects: 'allowedBodies',
    setup: createAllowed,
    checks: { 'valid-values': isKept },
  }),
  group({
    subjects: 'defaultedBodies',
    setup: writeBare,
    checks: { defaults: defaultsAreThere },
  }),
  group({
    subjects: 'generations',
    setup: updates.countGenerations,
    checks: { generation: updates.generationsAreCounted },
  }),
  group({
    subjects: 'creatingReplaces',
    setup: updates.replaceAbsent,
    checks: { 'replace-creates': updates.wasCreated },
  }),
  group({
    subjects: 'clusterIps',
    setup: allocation.createServices,
    checks: { 'cluster-ip': allocation.addressesDiffer },
  }),
  group({
    subjects: 'takenClusterIps',
    setup: allocation.takeAddress,
    checks: { 'cluster-ip-taken': refusedAsInvalid },
  }),
  group({
    subjects: 'freedClusterIps',
    setup: allocation.reuseAddress,
    checks: { 'cluster-ip-freed': allocation.addressIsReused },
  }),
  group({
    subjects: 'nodePorts',
    setup: allocation.createNodePorts,
    checks: { 'node-port': allocation.nodePortsDiffer },
  }),
  group({
    subjects: 'takenNodePorts',
    setup: allocation.takeNodePort,
    checks: { 'node-port-taken': refusedAsInvalid },
  }),
  group({
    subjects: 'secretData',
    setup: fields.createSecret,
    checks: { 'secret-data': fields.bytesAreKept },
  }),
  group({
    subjects: 'secretsNotBase64',
    setup: fields.createSecretNotBase64,
    checks: { 'secret-not-base64': fields.isRefused },
  }),
  group({
    subjects: 'secretStrings',
    setup: fields.writeSecretFromText,
    checks: { 'secret-string-data': fields.textIsData },
  }),
  group({
    subjects: 'deploymentFields',
    setup: fields.createDeployment,
    checks: {
      'deployment-template': fields.templateIsKept('metadata and spec'),
      'deployment-containers': fields.templateIsKept('containers'),
    },
  }),
  group({
    subjects: 'deploymentReplicas',
    setup: fields.createReplicas,
    checks: { 'deployment-replicas': fields.replicasAreKept },
  }),
  group({
    subjects: 'deploymentReplicasTypes',
    setup: fields.createReplicas,
    checks: { 'deployment-replicas-type': fields.isRefused },
  }),
]);
