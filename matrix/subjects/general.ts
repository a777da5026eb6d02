// The subject sets of the chapters for every kind: responses, discovery, the plain verbs, errors.
import { type MediaType, mediaTypes, type Operation } from '../api/index.js';
import {
  forDisposable,
  namespaced,
  type OperationSubject,
  perOperation,
  perPatchType,
  perResource,
  perVariant,
  type Subject,
  serverVariants,
  stated,
  subjectResource,
  type Table,
} from './build.js';

/**
 * Returns the media types of an operation's response (Endpoints/Conventions, 4), and of the body that it accepts. The
 * suite has no protobuf messages of kinds that only the target knows.
 */
const objectTypes = ({ groupVersion, resource }: Operation): readonly MediaType[] => {
  if (groupVersion.found) return resource?.found?.objectTypes ?? ['json'];
  return groupVersion.group === '' ? ['json', 'yaml'] : ['json', 'yaml', 'protobuf'];
};

/** Returns the subject sets of this file for the operations of a table. */
export function generalSetsOf({ operations, withVerbs, plain, bodies }: Table) {
  const responses = plain.flatMap((operation) =>
    objectTypes(operation).map((mediaType) => ({
      id: `${operation.id}, Accept ${mediaTypes[mediaType]}`,
      resource: subjectResource(operation),
      operation,
      mediaType,
    })),
  );

  const requests: OperationSubject[] = bodies.flatMap((operation) => [
    ...objectTypes(operation).map((mediaType) => ({
      id: `${operation.id}, Content-Type ${mediaTypes[mediaType]}`,
      resource: subjectResource(operation),
      operation,
      mediaType,
    })),
    { id: `${operation.id}, no Content-Type`, resource: subjectResource(operation), operation },
  ]);

  const creates = withVerbs('create').filter(({ resource }) => resource?.plural !== 'bindings');
  const deletes = withVerbs('delete', 'deletePlain');

  return {
    server: [{ id: 'server', resource: 'server' }],
    statedOperations: perOperation(operations),
    responses,
    requests,
    lists: perOperation(
      withVerbs('list', 'listAll').filter(({ resource }) => resource?.plural !== 'componentstatuses'),
    ),
    emptyLists: withVerbs('list', 'listAll')
      .filter(({ resource }) => resource?.plural !== 'componentstatuses')
      .flatMap((operation) =>
        objectTypes(operation)
          .filter((mediaType) => mediaType !== 'yaml')
          .map((mediaType) => ({
            id: `${operation.id}, Accept ${mediaTypes[mediaType]}`,
            resource: subjectResource(operation),
            operation,
            mediaType,
          })),
      ),
    sharedNames: perOperation(namespaced(withVerbs('list', 'listAll'))),
    versionedWrites: perOperation(
      plain.filter(
        ({ body, verb, resource }) =>
          (body === 'patch' || body === 'object') &&
          verb !== 'rollback' &&
          verb !== 'bind' &&
          resource?.plural !== 'bindings',
      ),
    ),
    componentStatuses: perOperation(withVerbs('list', 'readPlain').filter((o) => o.path.includes('componentstatuses'))),
    namespacedLists: perOperation(namespaced(withVerbs('list', 'listAll'))),
    reads: perOperation(withVerbs('read')),
    namespacedReads: perOperation(namespaced(withVerbs('read'))),
    creates: perOperation(creates),
    racingCreates: perOperation(creates),
    // The name of a third-party resource defines its kind, so it is not generated.
    generatedNames: perOperation(creates.filter(({ resource }) => resource?.plural !== 'thirdpartyresources')),
    refusedCreates: perOperation(creates),
    namespacedCreates: perOperation(namespaced(creates)),
    replaces: perOperation(withVerbs('replace')),
    racingReplaces: perOperation(withVerbs('replace')),
    refusedReplaces: perOperation(withVerbs('replace')),
    deletes: perOperation(deletes),
    deletesWithoutOptions: perOperation(deletes),
    refusedDeletes: perOperation(deletes),
    deleteCollections: perOperation(withVerbs('deleteCollection')),
    selectedDeleteCollections: [
      ...perOperation(withVerbs('deleteCollection')),
      // Of the profile full alone: it shows what the others show, with more objects than the largest usual page.
      ...perVariant(
        withVerbs('deleteCollection').filter(({ resource }) => resource?.plural === 'configmaps'),
        ['505 objects'],
      ).map((subject) => ({ ...subject, standsFor: 'verb DELETE deleteCollection' })),
    ],
    namespacedDeleteCollections: perOperation(namespaced(withVerbs('deleteCollection'))),
    discoveries: perOperation(withVerbs('discover')),
    completeDiscoveries: perOperation(withVerbs('discover')),
    discoveredResources: perResource(operations),
    discoveryRoots: [
      ...serverVariants(['GET /api', 'GET /apis', 'GET /version', 'GET /healthz']),
      ...(['autoscaling', 'batch', 'extensions'] as const).flatMap((group) =>
        serverVariants([`GET /apis/${group}`]).map((subject): Subject => ({ ...subject, within: `group:${group}` })),
      ),
    ],
    malformedBodies: perVariant(creates, [
      'truncated JSON',
      'two objects',
      'an array',
      'a string',
      'no body',
      'YAML that is called JSON',
      'malformed YAML',
    ]),
    wrongKinds: perVariant(creates, ['another kind', 'an unknown kind', 'another version']),
    missingBodies: perOperation(plain.filter(({ body }) => body === 'object')),
    missingPatches: perPatchType(plain.filter(({ body }) => body === 'patch')),
    refusedBodies: [
      ...perVariant(
        plain.filter(({ body }) => body === 'object'),
        ['truncated JSON', 'an array', 'a wrong type', 'text/plain'],
      ),
      // Never another kind to a subresource: some old servers treat it as their own and crash.
      ...perVariant([...creates, ...withVerbs('replace')], ['another kind']),
      ...perVariant(withVerbs('replace'), ['two objects']),
      ...perPatchType(plain.filter(({ body }) => body === 'patch')).map((subject) => ({
        ...subject,
        id: `${subject.id}, truncated JSON`,
        variant: 'truncated JSON',
      })),
    ],
    unknownMediaTypes: perOperation(plain.filter(({ body }) => body === 'object')),
    unknownPatchTypes: perOperation(plain.filter(({ body }) => body === 'patch')),
    unacceptableTypes: perOperation(plain),
    invalidNames: perVariant(creates, ['no name', 'a name that is not one']),
    methodsNotAllowed: serverVariants([
      'PUT collection',
      'PATCH collection',
      'POST object',
      'POST all namespaces',
      'POST status',
      'DELETE componentstatus',
    ]),
    unknownPaths: serverVariants([
      'an unknown resource',
      'an unknown subresource',
      'an unknown group',
      'an unknown version',
      'a resource of another group',
      'a plural in upper case',
      'a singular',
    ]),
    unknownSubresources: serverVariants(['GET nosuch', 'GET status', 'PUT nosuch', 'PATCH nosuch', 'DELETE nosuch']),
    unauthenticated: perVariant(operations, ['no credentials', 'a wrong token']),
    largeBodies: serverVariants(['4 MiB to create', '4 MiB to replace', '2 MiB to create']),
    hostileBodies: serverVariants([
      'JSON nested 10,000 deep',
      'YAML aliases in five layers',
      'YAML nested 1,000 deep',
      'a __proto__ key',
      'invalid UTF-8',
      '500 keys that are wrong',
    ]).concat(
      serverVariants([
        'JSON nested 100,000 deep',
        'YAML alias bomb',
        'YAML nested 10,000 deep',
        '3,000 keys that are wrong',
      ]).map(forDisposable),
    ),
  } as const satisfies Record<string, readonly Subject[]>;
}

export const generalSets = generalSetsOf(stated);
