// Responses: every operation with one response body, in each media type of the request and of the response.

import { apiVersionOf, type MediaType } from '../matrix/api/index.js';
import { answersItsVersion, writeVersioned } from './responses/answerVersions.js';
import { isProtobuf, type ObjectType, wireType } from './support/http/decoders.js';
import { equal, fail, oneOf, status, success } from './support/http/expect.js';
import { at, isObject } from './support/http/json.js';
import type { Reply } from './support/http/reply.js';
import { mismatchOf } from './support/objects/callParts.js';
import { scaleVersionOf } from './support/objects/related.js';
import { additionalIn } from './support/objects/schemas/additional.js';
import { hasStatedFields, isValid } from './support/objects/schemas/validate.js';
import { sendValid, validCall, versionsOf } from './support/objects/validCalls.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'responses',
  {
    responses: async ({ operation, mediaType }, { client, sandbox }) => {
      const valid = await validCall(operation, sandbox);
      // A list of everything is decoded once, as JSON: on a large cluster it takes long, most of all as YAML.
      const path = objectType(mediaType) === 'json' ? valid.path : (valid.selected ?? valid.path);
      const call = { ...valid, path };
      const accept = wireType(objectType(mediaType), client.target);
      const type = call.body ? { 'content-type': call.contentType ?? 'application/json' } : {};
      const reply = await sendValid(client, call, 'json', { accept, ...type });
      return { reply, accept, kinds: call.kinds };
    },
    versionedWrites: (subject, context) => writeVersioned(subject, context),
    requests: async ({ operation, mediaType }, { client, sandbox }) => {
      const call = await validCall(operation, sandbox);
      const sent = objectType(mediaType);
      const headers = mediaType === undefined ? {} : { 'content-type': wireType(sent, client.target) };
      const reply = await sendValid(client, { ...call, body: call.body ?? {} }, sent, headers);
      const success = reply.status >= 200 && reply.status <= 299;
      return { reply, lack: success ? await mismatchOf(call, sandbox) : undefined };
    },
  },
  {
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
      return additionalIn(body);
    },
    'request-type': ({ reply }) => success(reply),
    'request-understood': ({ reply, lack }) => {
      success(reply);
      if (lack !== undefined) fail(lack);
    },
    'answer-version': (record) => answersItsVersion(record),
  },
);

const objectType = (mediaType: MediaType | undefined): ObjectType =>
  mediaType === 'yaml' || mediaType === 'protobuf' ? mediaType : 'json';

function decoded(reply: Reply): unknown {
  try {
    const body = reply.value();
    if (!isObject(body)) fail(`${reply.request}: the body is no object: ${reply.excerpt()}`);
    return body;
  } catch (error) {
    return fail(
      `${reply.request}: the body does not decode: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
