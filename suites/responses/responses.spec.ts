// Responses: every operation with one response body, in each media type of the request and of the response.

import { apiVersionOf, type MediaType } from '../../matrix/api/index.js';
import { isProtobuf, type ObjectType, wireType } from '../client/decoders.js';
import { equal, fail, oneOf, status, success } from '../client/expect.js';
import { at, isObject, utf8Of } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { mismatchOf } from '../objects/callParts.js';
import { scaleVersionOf } from '../objects/related.js';
import { additionalIn } from '../objects/schemas/additional.js';
import { hasStatedFields, isValid } from '../objects/schemas/validate.js';
import { sendValid, validCall, versionsOf } from '../objects/validCalls.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { answersItsVersion, writeVersioned } from './answerVersions.js';
import { transportGroups } from './transport.js';

defineChapter('responses', [
  ...transportGroups,
  group({
    subjects: 'responses',
    setup: async ({ operation, mediaType }, { client, sandbox }) => {
      const valid = await validCall(operation, sandbox);
      // A list of everything is decoded once, as JSON: on a large cluster it takes long, most of all as YAML.
      const path = objectType(mediaType) === 'json' ? valid.path : (valid.selected ?? valid.path);
      const call = { ...valid, path };
      const accept = wireType(objectType(mediaType), client.target);
      const type = call.body ? { 'content-type': call.contentType ?? 'application/json' } : {};
      const reply = await sendValid(client, call, 'json', { accept, ...type });
      return { reply, accept, kinds: call.kinds };
    },
    checks: {
      status: ({ reply }, { operation }) => (operation.success === 200 ? status(reply, 200) : success(reply)),
      'media-type': ({ reply, accept }) => equal(reply.mediaType, accept, `${reply.request}: Content-Type`),
      'body-decodes': ({ reply }) => {
        decoded(reply);
      },
      'body-kind': ({ reply, kinds }, { operation }) => {
        success(reply);
        const body = decoded(reply);
        const kind = at(body, 'kind');
        oneOf(kind, kinds, `${reply.request}: kind of the body`);
        const { groupVersion, resource } = operation;
        const allowed = versionsOf(String(kind), apiVersionOf(groupVersion), resource && scaleVersionOf(resource));
        oneOf(at(body, 'apiVersion'), allowed, `${reply.request}: apiVersion of the body`);
      },
      'body-fields': ({ reply }) => {
        success(reply);
        hasStatedFields(decoded(reply), `${reply.request}: the body`);
      },
      'body-schema': ({ reply }) => {
        success(reply);
        const body = decoded(reply);
        isValid(body, `${reply.request}: the body`, isProtobuf(reply.mediaType) ? 'protobuf' : 'text');
        if (reply.mediaType === 'application/json') hasPlainIntegers(reply);
        return additionalIn(body);
      },
    },
  }),
  group({
    subjects: 'versionedWrites',
    setup: (subject, context) => writeVersioned(subject, context),
    checks: { 'answer-version': (record) => answersItsVersion(record) },
  }),
  group({
    subjects: 'requests',
    setup: async ({ operation, mediaType }, { client, sandbox }) => {
      const call = await validCall(operation, sandbox);
      const sent = objectType(mediaType);
      const headers = mediaType === undefined ? {} : { 'content-type': wireType(sent, client.target) };
      const reply = await sendValid(client, { ...call, body: call.body ?? {} }, sent, headers);
      const success = reply.status >= 200 && reply.status <= 299;
      return { reply, lack: success ? await mismatchOf(call, sandbox) : undefined };
    },
    checks: {
      'request-type': ({ reply }) => success(reply),
      'request-understood': ({ reply, lack }) => {
        success(reply);
        if (lack !== undefined) fail(lack);
      },
    },
  }),
]);

const objectType = (mediaType: MediaType | undefined): ObjectType =>
  mediaType === 'yaml' || mediaType === 'protobuf' ? mediaType : 'json';

/**
 * Throws Failure if a number of a JSON text has a fraction or an exponent: no field of these kinds is a float, and typed
 * clients refuse 1.0 as an integer, which generic maps make of 1.
 */
function hasPlainIntegers({ request, bytes }: Reply): void {
  const withoutStrings = utf8Of(bytes).replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const [end] = /\d[.eE][\d.eE+-]*/.exec(withoutStrings) ?? [];
  if (end !== undefined) fail(`${request}: the body has an integer that is written with a fraction: …${end}`);
}

function decoded(reply: Reply): unknown {
  try {
    const body = reply.value();
    if (!isObject(body)) fail(`${reply.request}: the body is not an object: ${reply.excerpt()}`);
    return body;
  } catch (error) {
    return fail(
      `${reply.request}: the body does not decode: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
