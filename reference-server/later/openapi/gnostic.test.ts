// The protobuf forms of the documents hold the same as the JSON: every field, in the numbers of gnostic's descriptors.
import { expect, it } from 'vitest';
import { operations } from '../../../matrix/api/index.js';
import { createCodecs } from '../../codecs/index.js';
import { nothingDisabled } from '../../features/features.js';
import { doAll } from '../../turns.js';
import { decodeGnostic } from '../testing/gnostic.js';
import { documentV2, documentV3, pathsV3 } from './documents.js';
import { encodeV2 } from './gnosticV2.js';
import { encodeV3 } from './gnosticV3.js';
import { documentSource } from './source.js';

const source = documentSource({
  operations,
  codecs: createCodecs('kubernetes'),
  lacks: nothingDisabled,
  kubeVersion: '1.5',
});

it('writes the document of OpenAPI 2', () => {
  const document = doAll(documentV2(source));
  expect(decodeGnostic('v2', encodeV2(document))).toEqual(JSON.parse(JSON.stringify(document)));
});

it.each(pathsV3(source))('writes the document of OpenAPI 3 for %s', (path) => {
  const document = doAll(documentV3(source, path)) ?? {};
  expect(decodeGnostic('v3', encodeV3(document))).toEqual(JSON.parse(JSON.stringify(document)));
});

it('refuses a field that it does not know', () => {
  expect(() => encodeV3({ openapi: '3.0.0', servers: [] })).toThrow('no field of this message is servers');
});
