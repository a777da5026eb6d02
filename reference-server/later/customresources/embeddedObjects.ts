// The objects inside of objects (`x-kubernetes-embedded-resource`): each says what it is, and may have metadata.
import { typeOf } from '../../../matrix/api/modern/index.js';
import { validateMetadata } from '../../registry/metadata.js';
import { type Causes, collectCauses } from '../../schema/causes.js';
import { decodeValue } from '../../schema/decode.js';
import { dns1035Label, dns1123Label, pathSegment } from '../../schema/formats.js';
import { isRecord, type ObjectMeta, own } from '../../schema/object.js';
import { TypeMismatch } from '../../schema/scalars.js';
import type { Steps } from '../../turns.js';
import { type StructuralSchema, somewhere } from './structuralSchema.js';

const under = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);

const isEmbedded = (schema: StructuralSchema): boolean => schema['x-kubernetes-embedded-resource'] === true;

/** Reports whether a node, or one inside of it, is of an object. */
const hasEmbedded = somewhere(isEmbedded);

/** Adds a cause for each embedded object in a value that does not say what it is, or whose metadata are wrong, in steps. */
export function* checkEmbedded(schema: StructuralSchema, value: unknown, field: string, causes: Causes): Steps<void> {
  if (!hasEmbedded(schema)) return;
  yield;
  if (Array.isArray(value)) {
    if (!isRecord(schema.items)) return;
    for (const [index, item] of value.entries()) yield* checkEmbedded(schema.items, item, `${field}[${index}]`, causes);
  } else if (isRecord(value)) {
    if (isEmbedded(schema)) yield* checkObject(value, field, causes);
    const { properties = {}, additionalProperties } = schema;
    for (const [name, inner] of Object.entries(value)) {
      const node = own(properties, name) as StructuralSchema | undefined;
      if (node !== undefined) yield* checkEmbedded(node, inner, under(field, name), causes);
      else if (isRecord(additionalProperties)) {
        yield* checkEmbedded(additionalProperties, inner, `${field}[${name}]`, causes);
      }
    }
  }
}

function* checkObject(object: Readonly<Record<string, unknown>>, field: string, causes: Causes): Steps<void> {
  for (const name of ['apiVersion', 'kind']) if (own(object, name) === undefined) causes.required(under(field, name));
  checkText('apiVersion', groupVersionProblems);
  checkText('kind', (kind) =>
    dns1035Label(kind.toLowerCase()).map((problem) => `may have mixed case, but should otherwise match: ${problem}`),
  );
  const given = own(object, 'metadata');
  if (given === undefined || given === null) return;
  const at = under(field, 'metadata');
  try {
    const metadata = (yield* decodeValue(typeOf('ObjectMeta'), given)) as ObjectMeta;
    const found = causes.part();
    const validation = function* () {
      yield;
      validateMetadata({ ...metadata, name: metadata.name || 'no-name' }, pathSegment, true, found);
      found.format('metadata.namespace', metadata.namespace || undefined, dns1123Label);
    };
    yield* collectCauses(found, validation());
    for (const cause of found.list) causes.add({ ...cause, field: under(field, cause.field ?? '') });
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    causes.invalid(at, given, `${error.path}: ${error.message}`);
  }

  function checkText(name: string, problemsOf: (text: string) => readonly string[]): void {
    const path = under(field, name);
    const text = own(object, name);
    if (text === undefined) return;
    if (typeof text !== 'string') causes.invalid(path, text, 'must be a string');
    else if (text === '') causes.invalid(path, text, 'must not be empty');
    else for (const problem of problemsOf(text)) causes.invalid(path, text, problem);
  }
}

const groupVersionProblems = (text: string): readonly string[] =>
  text.split('/').length > 2 ? [`unexpected GroupVersion string: ${text}`] : [];
