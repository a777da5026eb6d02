// The subject sets of the protobuf chapter: operations of the group paths, in protobuf.
import type { Operation } from '../api/index.js';
import { type OperationSubject, perOperation, perVariant, plain, type Subject, withVerbs } from './build.js';
import { forms } from './watch.js';

const isGroup = ({ groupVersion }: Operation): boolean => groupVersion.group !== '';

const inProtobuf = (subjects: readonly OperationSubject[]): OperationSubject[] =>
  subjects
    .filter(({ operation }) => isGroup(operation))
    .map((subject) => ({ ...subject, mediaType: 'protobuf' as const }));
const each = (operations: readonly Operation[]): OperationSubject[] => inProtobuf(perOperation(operations));

const creates = withVerbs('create');
const lists = withVerbs('list', 'listAll');

export const protobufSets = {
  protobufCalls: each(plain),
  protobufDiscoveries: each(withVerbs('discover')),
  protobufWatches: each(forms),
  protobufReads: each(withVerbs('read', 'readStatus', 'readScale')),
  protobufLists: each(lists),
  protobufWrites: each(withVerbs('create', 'replace')),
  protobufNumbers: each(creates),
  protobufOptions: each(withVerbs('replaceScale', 'rollback', 'delete')),
  protobufPatches: each(withVerbs('patch', 'patchStatus', 'patchScale')),
  absentInProtobuf: each(withVerbs('read', 'readStatus')),
  acceptedTypes: inProtobuf(
    perVariant(lists, ['protobuf before JSON', 'JSON before protobuf', 'q-values', 'an unknown type first']),
  ),
  undefinedForms: each(lists),
  unknownNumbers: each(creates),
  hostileProtobuf: each(creates),
} as const satisfies Record<string, readonly Subject[]>;
