// The subject sets of the transport: what HTTP allows around a request, tried on one kind.
import type { Verb } from '../api/index.js';
import { perOperation, perVariant, type Subject, serverVariants, withVerbs } from './build.js';

const of = (plural: string, verb: Verb) => withVerbs(verb).filter(({ resource }) => resource?.plural === plural);
const ofConfigMaps = (verb: Verb) => of('configmaps', verb);
const create = ofConfigMaps('create');
const list = ofConfigMaps('list');
const read = ofConfigMaps('read');

export const transportSets = {
  carriedBodies: [
    ...perVariant(create, [
      'in chunks',
      'in chunks of one byte',
      'after 100 Continue',
      'charset=utf-8',
      'charset=UTF-8, without a blank',
      'a type in upper case',
      'YAML, charset=utf-8',
      'YAML after ---',
      'blanks around it',
      'escaped characters',
    ]),
    ...perVariant(ofConfigMaps('replace'), ['in chunks']),
    ...perVariant(ofConfigMaps('patch'), ['in chunks', 'charset=utf-8', 'escaped characters']),
  ],
  typedWithoutBody: perOperation([...read, ...ofConfigMaps('delete')]),
  compressedBodies: perOperation(create),
  encodedAnswers: perOperation(read),
  acceptClauses: [
    ...perVariant(list, [
      'no Accept',
      '*/*',
      'a table or JSON',
      'a list of metadata or JSON',
      'an unknown table or JSON',
      'an unknown type first',
      'JSON or anything',
      'a browser',
    ]),
    ...perVariant(read, [
      'a table or JSON',
      'metadata or JSON',
      'an unknown table or JSON',
      'charset=utf-8',
      'not JSON',
      'q-values',
    ]),
  ],
  views: perVariant(list, ['a table or JSON', 'a list of metadata or JSON']),
  writtenStrings: perOperation([...read, ...list, ...of('ingresses', 'read')]),
  longSelectors: perOperation([...list, ...ofConfigMaps('listAll')]),
  writtenQueries: perVariant(list, [
    'blanks as +',
    'blanks as %20',
    'lower-case escapes',
    'a bare =',
    'empty pairs',
    'an escaped escape',
    'an escaped name',
  ]),
  repeatedParameters: perVariant(list, ['two label selectors', 'two field selectors']),
  wrongMethods: perVariant(read, ['HEAD', 'OPTIONS', 'TRACE', 'BREW', 'POST for DELETE']),
  almostNames: perVariant(ofConfigMaps('delete'), [
    '%2F..%2F',
    '%252F..%252F',
    'a zero byte',
    'a blank',
    'upper case',
    'a parameter',
  ]),
  escapedNames: perOperation(read),
  sessions: perOperation(read),
  warnings: perOperation([...of('componentstatuses', 'list'), ...of('ingresses', 'list')]),
  openApiDocuments: serverVariants(['GET /openapi/v2', 'GET /openapi/v3']),
  nameLengths: [...perVariant(create, ['1', '63', '64', '253']), ...perVariant(of('services', 'create'), ['1', '63'])],
  largeObjects: perOperation(create),
  takenWords: perOperation([
    ...create,
    ...of('horizontalpodautoscalers', 'create').filter(
      ({ resource }) => resource?.groupVersion.group === 'autoscaling',
    ),
  ]),
  longNames: [
    ...perVariant(create, ['254']),
    ...perVariant([...of('services', 'create'), ...of('namespaces', 'create')], ['64']),
  ],
  longBases: perOperation(create),
} as const satisfies Record<string, readonly Subject[]>;
