// One response of a target against its own OpenAPI: status, media type and body.
import { apiVersionOf } from '../../../matrix/api/index.js';
import { runOf } from '../../client/belonging.js';
import type { Call } from '../../client/calls.js';
import { isProtobuf } from '../../client/decoders.js';
import { at, brief, isObject, type JsonObject } from '../../client/json.js';
import type { Reply } from '../../client/reply.js';
import { type DeclaredOperation, responseFor, schemaFor } from './operations.js';
import type { Validators } from './validators.js';

/** A requirement of the chapter that a response violates, and how; or why the response cannot show whether it does. */
export interface Finding {
  readonly kind: 'violation' | 'unchecked';
  readonly requirement: 'openapi.status' | 'openapi.media-type' | 'openapi.body-schema';
  readonly message: string;
}

/** A response, and what the target declares about its operation. */
export interface JudgedResponse {
  readonly call: Pick<Call, 'method' | 'headers'>;
  readonly reply: Reply;
  readonly declared: DeclaredOperation;
  readonly validators: Validators;
  readonly runId: string;
  readonly version: { readonly group: string; readonly version: string };
}

/** Returns what a response shows. An error that the document does not declare violates nothing. */
export function findingsOf(answer: JudgedResponse): Finding[] {
  const { reply, declared } = answer;
  const violation = (requirement: Finding['requirement'], message: string): Finding[] => [
    { kind: 'violation', requirement, message: `${reply.request}: ${message}` },
  ];
  const response = responseFor(declared, reply.status);
  const isSuccess = reply.status >= 200 && reply.status <= 299;
  if (response === undefined) {
    if (!isSuccess) return [];
    const codes = [...declared.responses.keys()].join(', ');
    return violation(
      'openapi.status',
      `answered ${reply.status}, and its own OpenAPI declares ${codes || 'no status'}`,
    );
  }
  const { types } = response;
  const isDeclared =
    types.length === 0 || reply.bytes.length === 0 || types.some((type) => acceptsType(type, reply.mediaType));
  if (isSuccess && !isDeclared) {
    const message = `answered ${brief(reply.mediaType)}, and its own OpenAPI declares ${types.join(', ')}`;
    return violation('openapi.media-type', message);
  }
  const schema = schemaFor(response, reply.mediaType);
  const body = isTransformed(answer) ? undefined : judgedBody(answer);
  if (schema === undefined || body === undefined) return [];
  const fault = answer.validators.faultOf(schema, body);
  if (fault !== undefined) return violation('openapi.body-schema', `the body, by its own OpenAPI: ${fault}`);
  const why = answer.validators.whyUnused(schema);
  if (why === undefined) return [];
  const message = `the schema of the body in the target's OpenAPI is held against no body: ${why}`;
  return [{ kind: 'unchecked', requirement: 'openapi.body-schema', message }];
}

/** Reports whether a declared media type covers one of a response: parameters do not count. */
export function acceptsType(declared: string, actual: string): boolean {
  const [type = ''] = declared.split(';');
  return type === '*/*' || type.trim() === actual;
}

/** A table, or metadata alone, is another object than the declared one. */
const isTransformed = ({ call }: JudgedResponse): boolean => /[;,]\s*as=/i.test(String(call.headers?.accept));

/** Returns the parts of a body that this server alone answers for; undefined if there are none. */
function judgedBody(answer: JudgedResponse): unknown {
  const { reply } = answer;
  // The suite decodes messages of kinds that it does not know only in part.
  if (reply.bytes.length === 0 || isProtobuf(reply.headers['content-type'])) return undefined;
  const body = reply.tryValue();
  return body === undefined ? undefined : judgedPart(answer, body);
}

/**
 * Returns the part of a body that must be valid: objects that this run wrote in this version. Older objects may lack
 * what the schema has required since, and a server without conversion shows the fields of another version.
 */
function judgedPart(answer: JudgedResponse, body: unknown): unknown {
  const { call, reply } = answer;
  if (!isObject(body)) return body;
  if (Array.isArray(body.items)) {
    // A delete of a collection may answer the list of what it deleted.
    if (call.method === 'DELETE') return undefined;
    return { ...body, items: body.items.filter((item) => !isObject(item) || isOwn(item, answer)) };
  }
  // A delete answers a Status or the object, and documents declare only one of them.
  if (call.method === 'DELETE' && body.kind !== 'Status') return undefined;
  if (body.kind === 'Status' || reply.status > 299) return body;
  return at(body, 'metadata', 'name') === undefined || isOwn(body, answer) ? body : undefined;
}

function isOwn(object: JsonObject, { runId, version }: JudgedResponse): boolean {
  if (runOf(object) !== runId) return false;
  const managed = at(object, 'metadata', 'managedFields');
  if (!Array.isArray(managed)) return true;
  return managed.every((entry) => {
    // A scale is written in a version of its own.
    const isOfScale = at(entry, 'subresource') === 'scale';
    return isOfScale || at(entry, 'apiVersion') === apiVersionOf(version);
  });
}
