// Validation: defaults, refusals with the field that causes them, and immutable fields.

import { equal, fail } from './support/http/expect.js';
import { at } from './support/http/json.js';
import { defineChapter } from './support/run/chapter.js';
import * as allocation from './validation/allocation.js';
import * as fields from './validation/fields.js';
import { nameIsJudged, tryLabels, tryName } from './validation/names.js';
import { didNothing, isInvalid, namesField, refused, sendInvalid } from './validation/refusals.js';
import * as updates from './validation/updates.js';

defineChapter(
  'validation',
  {
    invalidBodies: sendInvalid,
    missingFields: sendInvalid,
    duplicateKeys: sendInvalid,
    mismatchedSelectors: sendInvalid,
    jobRestartPolicies: sendInvalid,
    invalidProbes: sendInvalid,
    invalidVolumes: sendInvalid,
    invalidBackends: sendInvalid,
    foreignEvents: sendInvalid,
    thirdPartyNames: sendInvalid,
    invalidPorts: sendInvalid,
    invalidUpdates: updates.updateBadly,
    wrongTypes: fields.createWrongType,
    unknownFields: fields.createUnknown,
    objectNames: tryName,
    invalidLabels: tryLabels,
    fixedFields: updates.changeFixed,
    creationTimes: updates.changeCreationTime,
    podUpdates: updates.changePod,
    quantityForms: fields.createQuantity,
    hostileQuantities: fields.createHostileQuantity,
    defaultedBodies: fields.createBare,
    generations: updates.countGenerations,
    creatingReplaces: updates.replaceAbsent,
    clusterIps: allocation.createServices,
    takenClusterIps: allocation.takeAddress,
    freedClusterIps: allocation.reuseAddress,
    nodePorts: allocation.createNodePorts,
    takenNodePorts: allocation.takeNodePort,
    secretData: fields.createSecret,
    secretsNotBase64: fields.createSecretNotBase64,
    secretStrings: fields.createSecretFromText,
    deploymentFields: fields.createDeployment,
    deploymentReplicas: fields.createReplicas,
    deploymentReplicasTypes: fields.createReplicas,
  },
  {
    'deployment-replicas': fields.replicasAreKept,
    'deployment-replicas-type': fields.isRefused,
    'deployment-template': fields.templateIsKept('metadata and spec'),
    'deployment-containers': fields.templateIsKept('containers'),
    'secret-data': fields.bytesAreKept,
    'secret-not-base64': fields.isRefused,
    'secret-string-data': fields.textIsData,
    invalid: isInvalid,
    'invalid-causes': namesField,
    'invalid-changes-nothing': didNothing,
    'invalid-update': refused,
    'wrong-type': fields.isBadRequest,
    'unknown-field': fields.unknownIsDropped,
    names: nameIsJudged,
    labels: refused,
    required: refused,
    immutable: refused,
    'creation-time': ({ reply, before, after }) => {
      const time = at(before, 'metadata', 'creationTimestamp');
      if (typeof time !== 'string') fail(`${reply.request}: the object had no creationTimestamp`);
      equal(at(after, 'metadata', 'creationTimestamp'), String(time), `${reply.request}: metadata.creationTimestamp`);
    },
    'pod-update': updates.podChangeIsJudged,
    duplicates: refused,
    'selector-template': refused,
    'job-restart-policy': refused,
    quantities: fields.quantityIsJudged,
    hostile: fields.goesOn,
    probes: refused,
    volumes: refused,
    'ingress-backend': refused,
    'event-namespace': refused,
    'third-party-name': refused,
    defaults: fields.defaultsAreThere,
    generation: updates.generationsAreCounted,
    'replace-creates': updates.wasCreated,
    'service-ports': refused,
    'cluster-ip': allocation.addressesDiffer,
    'cluster-ip-taken': refused,
    'cluster-ip-freed': allocation.addressIsReused,
    'node-port': allocation.nodePortsDiffer,
    'node-port-taken': refused,
  },
);
