// Servers that write or read protobuf wrongly.
import { fault, faultsOf } from '../testing/faults/wire/fault.js';
import { drop, of, set, where } from '../testing/faults/wire/objects.js';
import {
  errorsInProtobuf,
  sendsProtobuf,
  sentProtobuf,
  shownProtobuf,
  swapNumbers,
  toldProtobuf,
  wantsProtobuf,
  withoutZeros,
} from '../testing/faults/wire/protobuf.js';
import { header, refuse, swallow } from '../testing/faults/wire/requests.js';

const batch = '/apis/batch/v1';

export const faults = faultsOf('protobuf', [
  fault(
    'answers JSON to a client that asks for protobuf',
    `best-type discovery envelope errors watch watch-framing watch-stream without-definition in ${batch}`,
    [header(wantsProtobuf, 'accept', 'application/json')],
  ),
  fault('says less of an error in protobuf', `errors in ${batch}`, [errorsInProtobuf(drop('details'))]),
  fault('takes no body in protobuf', `envelope field-numbers round-trip subresource-bodies unknown-field in ${batch}`, [
    refuse(sendsProtobuf, 415),
  ]),
  fault(
    'says that it took whatever is called protobuf',
    `deep-nesting envelope field-numbers huge-length patch-refused round-trip subresource-bodies truncated unknown-field without-magic
     wrong-kind wrong-wire-type in ${batch}`,
    [swallow(sendsProtobuf, {})],
  ),
  fault(
    'has the numbers of labels and annotations swapped',
    'field-numbers round-trip same-object unknown-field in batch/v1/namespaces/{namespace}/jobs',
    [swapNumbers('Job', [1], [11, 12])],
  ),
  // The path: spec, template, spec, volumes, the source, cephfs; the fields: path and user.
  fault('has two numbers of a volume swapped', 'field-numbers › POST /apis/batch', [swapNumbers('Job', [2, 6, 2, 1, 2, 14], [2, 3])]),
  fault('leaves the numbers out that are zero in protobuf', 'same-list same-object in .same-', [shownProtobuf(withoutZeros)]),
  fault('does not say in protobuf that a list goes on', 'same-list in .same-list', [
    shownProtobuf(where('items', Array.isArray, drop('metadata.continue'))),
  ]),
  ...['dryRun', 'preconditions.resourceVersion', 'propagationPolicy', 'orphanDependents'].map((field) =>
    fault(`ignores the ${field} of a delete in protobuf`, `subresource-bodies › DELETE ${batch}`, [
      sentProtobuf(of('DeleteOptions', drop(field))),
    ]),
  ),
  fault('loses the annotations of a body in protobuf', 'round-trip in .round-trip', [sentProtobuf(set('metadata.annotations', {}))]),
  fault(
    'writes the length of a frame with its low byte first',
    `watch watch-events watch-framing watch-schema watch-stream in ${batch}/watch`,
    [toldProtobuf((object) => object, { littleEndian: true })],
  ),
  fault('streams a policy of restarts that there is not', `watch-events watch-schema in ${batch}/watch`, [
    toldProtobuf(set('spec.template.spec.restartPolicy', 'Now')),
  ]),
  fault('streams other objects in protobuf than in JSON', `watch-events in ${batch}/watch`, [toldProtobuf(set('metadata.labels', {}))]),
]);
