// Accept headers with several clauses: the response has a type that one of them allows.

import { defined } from '../../matrix/api/index.js';
import { equal, fail, oneOf, success } from '../client/expect.js';
import { at, brief, itemsOf } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import { groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';

interface Clauses {
  /** Absent for a request without the header. */
  readonly accept?: string;
  readonly types: readonly string[];
  /** The type that a client prefers, or that programs expect which name none. */
  readonly preferred?: string;
  /** Whether the response may be a table. */
  readonly isTabular?: true;
  /** Whether the response may be the metadata alone, or a list of such. */
  readonly isPartial?: true;
}

const json = 'application/json';
const yaml = 'application/yaml';
const tableOf = (version: string) => `${json};as=Table;v=${version};g=meta.k8s.io`;

const partial = (kind: string) => `${json};as=${kind};v=v1;g=meta.k8s.io`;

/** What a client accepts that watches the metadata of objects. */
export const partialOrJson = `${partial('PartialObjectMetadata')}, ${json}`;

/** As many types as a generic client may name: more than a kilobyte. */
const unknown = Array.from({ length: 40 }, (_, index) => `application/vnd.example.type-${index}+json`);

const forms: Readonly<Record<string, Clauses>> = {
  'a table or JSON': { accept: `${tableOf('v1')}, ${tableOf('v1beta1')}, ${json}`, types: [json], isTabular: true },
  'metadata or JSON': { accept: partialOrJson, types: [json], isPartial: true },
  'a list of metadata or JSON': {
    accept: `${partial('PartialObjectMetadataList')}, ${json}`,
    types: [json],
    isPartial: true,
  },
  'an unknown table or JSON': { accept: `${json};as=NoSuchTable;v=v9;g=meta.k8s.io, ${json}`, types: [json] },
  'no Accept': { types: [json, yaml], preferred: json },
  '*/*': { accept: '*/*', types: [json, yaml], preferred: json },
  'q-values': { accept: `${json};q=0.2, ${yaml};q=0.9`, types: [json, yaml], preferred: yaml },
  // What kubectl sends.
  'JSON or anything': { accept: `${json}, */*`, types: [json, yaml], preferred: json },
  'an unknown type first': { accept: `${unknown.join(', ')}, ${json}`, types: [json] },
  'a browser': {
    accept: 'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8',
    types: [json, yaml],
  },
  'charset=utf-8': { accept: `${json}; charset=utf-8`, types: [json] },
  'not JSON': { accept: `${json};q=0, application/yaml`, types: [yaml] },
};

/** Returns the Accept header of a form. */
export const acceptOf = (variant: string): string => forms[variant]?.accept ?? fail(`no Accept for ${variant}`);

/** Reads or lists an object with the Accept header of the subject. */
export async function accept({ operation, variant = '' }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const form = forms[variant] ?? fail(`no Accept for ${variant}`);
  const label = sandbox.name();
  const { name, namespace } = await sandbox.make(resource, { labels: { [groupLabel]: label } });
  const isList = operation.verb === 'list';
  const query = isList ? `?labelSelector=${encodeURIComponent(`${groupLabel}=${label}`)}` : '';
  const path = pathTo(resource, isList ? 'list' : 'read', namespace, name) + query;
  const reply = await client.send({ method: 'GET', path, headers: defined({ accept: form.accept }) });
  return { reply, form, name, label, kind: isList ? `${resource.kind}List` : resource.kind };
}

/** Throws Failure unless the response has one of the accepted types and shows the object. */
export function isAccepted({ reply, form, name, label, kind }: Awaited<ReturnType<typeof accept>>): void {
  const what = `${reply.request}, ${form.accept === undefined ? 'no Accept' : `Accept: ${form.accept}`}`;
  if (reply.status < 200 || reply.status > 299)
    fail(`${what}: expected success (2xx), got ${reply.status} ${reply.excerpt()}`);
  success(reply);
  oneOf(reply.mediaType, form.types, `${what}: Content-Type`);
  const body = reply.value();
  const metadata = kind.endsWith('List') ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  const kinds = [kind, ...(form.isTabular ? ['Table'] : []), ...(form.isPartial ? [metadata] : [])];
  oneOf(at(body, 'kind'), kinds, `${what}: kind`);
  if (at(body, 'kind') === 'Table') {
    showsRow(body, name, what);
    return;
  }
  const shown = kind.endsWith('List') ? itemsOf(body) : [body];
  const names = shown.map((object) => at(object, 'metadata', 'name'));
  if (names.length !== 1 || names[0] !== name) fail(`${what}: expected the object ${name}, got ${brief(names)}`);
  equal(String(at(shown[0], 'metadata', 'labels', groupLabel)), label, `${what}: the label of the object`);
}

/** Throws Failure unless the response has the type that the client prefers. */
export function isPreferred({ reply, form }: Awaited<ReturnType<typeof accept>>): void {
  success(reply);
  const what = `${reply.request}, ${form.accept === undefined ? 'no Accept' : `Accept: ${form.accept}`}`;
  if (form.preferred !== undefined) equal(reply.mediaType, form.preferred, `${what}: Content-Type`);
}

function showsRow(table: unknown, name: string, what: string): void {
  const columns = itemsOf({ items: at(table, 'columnDefinitions') ?? [] });
  const rows = itemsOf({ items: at(table, 'rows') ?? [] });
  const cells = rows.map((row) => row.cells);
  if (columns.length === 0) fail(`${what}: the table has no column definitions`);
  const first = Array.isArray(cells[0]) ? cells[0] : [];
  if (rows.length !== 1 || first.length !== columns.length || !first.includes(name))
    fail(`${what}: expected one row of ${columns.length} cells with ${name}, got ${brief(cells)}`);
}
