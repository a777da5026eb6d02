// The documents of the APIs that other servers have: what they said is read when a client asks.
import { parseJson } from '../../exactJson.js';
import { isRecord } from '../../schema/object.js';
import type { DocumentNode } from './dialect.js';
import { Encoded } from './encoded.js';
import { encodeV2 } from './gnosticV2.js';
import { encodeV3 } from './gnosticV3.js';
import { partBelow } from './merge.js';
import type { RemoteDocument } from './remotes.js';
import { upgraded } from './upgrade.js';

const parts = new WeakMap<RemoteDocument, DocumentNode | undefined>();

/** Returns what the document of OpenAPI 2 says of the API; undefined if it says nothing, or nonsense. */
export function partOf(document: RemoteDocument): DocumentNode | undefined {
  if (parts.has(document)) return parts.get(document);
  const part = document.v2 === undefined ? undefined : readPart(document.v2, `/${document.path}`);
  parts.set(document, part);
  return part;
}

function readPart(text: string, path: string): DocumentNode | undefined {
  try {
    const whole = parseJson(text);
    if (!isRecord(whole) || whole.swagger !== '2.0') return undefined;
    const part = partBelow(whole, path);
    // What cannot be written would break the document of all.
    new Encoded(part, encodeV2).bytes('protobuf');
    return part;
  } catch {
    return undefined;
  }
}

const made = new WeakMap<RemoteDocument, Encoded | undefined>();

/** Returns the document of OpenAPI 3 of a server that has only one of OpenAPI 2. */
export function madeV3(document: RemoteDocument, version: string): Encoded | undefined {
  if (document.hash !== undefined) return undefined;
  if (made.has(document)) return made.get(document);
  const encoded = tryV3(partOf(document), version);
  made.set(document, encoded);
  return encoded;
}

function tryV3(part: DocumentNode | undefined, version: string): Encoded | undefined {
  if (part === undefined || Object.keys(part.paths as object).length === 0) return undefined;
  try {
    const encoded = new Encoded(upgraded(part, version), encodeV3);
    encoded.bytes('protobuf');
    return encoded;
  } catch {
    return undefined;
  }
}
