// The body of a response in the representation that the client asked for.
import type { ApiObject, Encodable } from '../../codecs/codec.js';
import { isRecord, type KubeObject } from '../../schema/object.js';
import { encodable, ListBody, ObjectBody, sharedView, View } from '../../versions/views.js';
import { MadeListBody } from './listBody.js';
import { partialOf, rowOf, type TableForm, tableHead, tableOfOne } from './table.js';

/** A representation with everything that it depends on: a table, or metadata of a version. */
export type Form = { readonly table: TableForm } | { readonly partial: { readonly apiVersion: string } };

/** The objects of a body: one object, or a list. */
type Content =
  | { readonly one: KubeObject }
  | { readonly metadata: ApiObject; readonly objects: () => Iterable<KubeObject> };

/**
 * Returns a body in another representation. A body without an object of its own, such as a Status, stays as it is, as
 * on real servers.
 */
export function represent(body: Encodable, form: Form): Encodable {
  const content = contentOf(body);
  if (content === undefined) return body;
  if ('one' in content) {
    const { one } = content;
    return encodable('table' in form ? tableOfOne(form.table, one) : partialOf(one, form.partial.apiVersion));
  }
  const { metadata, objects } = content;
  if ('table' in form) {
    const { table } = form;
    const now = table.now().getTime();
    const head = tableHead(table, metadata, table.columns.definitions);
    return new MadeListBody(
      head,
      'rows',
      '',
      mapped(objects, (object) => rowOf(table, object, now)),
    );
  }
  const { apiVersion } = form.partial;
  const head = { kind: 'PartialObjectMetadataList', apiVersion, metadata };
  const partials = mapped(objects, (object) => partialOf(object, apiVersion));
  return new MadeListBody(head, 'items', 'PartialObjectMetadata', partials);
}

/** Returns the object of a body that has one; a Status is not the object of a request. */
export function objectOf(body: Encodable): KubeObject | undefined {
  if (body instanceof View) return body.object;
  if (!(body instanceof ObjectBody)) return undefined;
  const { object } = body;
  return object.kind !== 'Status' && isRecord(object.metadata) ? (object as KubeObject) : undefined;
}

function contentOf(body: Encodable): Content | undefined {
  if (body instanceof ListBody) return { metadata: body.metadata, objects: () => objectsOf(body) };
  const one = objectOf(body);
  if (one === undefined) return undefined;
  const { items, metadata, kind, apiVersion } = one;
  if (!Array.isArray(items)) return { one };
  // Items of a typed list name no kind.
  const named = { kind: String(kind).replace(/List$/, ''), apiVersion };
  return { metadata, objects: () => items.map((item: KubeObject) => ({ ...named, ...item })) };
}

function* objectsOf({ resource, entries }: ListBody): Generator<KubeObject> {
  for (const entry of entries) yield sharedView(resource, entry).object;
}

const mapped = <From>(objects: () => Iterable<From>, map: (object: From) => ApiObject) =>
  function* (): Generator<ApiObject> {
    for (const object of objects()) yield map(object);
  };
