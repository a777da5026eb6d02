// Servers that refuse wrongly, or do not refuse.

import { acceptUser } from '../testing/faults/wire/credentials.js';
import { type Broken, conformant, fault, faultsOf, faultsOfEveryKind, notConformant } from '../testing/faults/wire/fault.js';
import { drop, set, where } from '../testing/faults/wire/objects.js';
import { anyStatus, errors, isError, replace, replies, status } from '../testing/faults/wire/replies.js';
import {
  answer,
  asPatch,
  every,
  failure,
  header,
  not,
  ok,
  type Requests,
  refuse,
  reroute,
  sentText,
  some,
  withBody,
  withType,
} from '../testing/faults/wire/requests.js';

const patch = 'PATCH …/configmaps';
const mergePatch = 'application/merge-patch+json';
const emptyPatch = ['PATCH', withBody(/^$/)];
const emptyReplace = ['PUT', withBody(/^$/)];
/** What a proxy says where it leads nowhere. */
const nothing = { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' };
const strangers: Requests = ({ headers }) => ['', 'Bearer a-token-that-nobody-has'].includes(headers.authorization ?? '');
const plainText = [not('GET'), withType(/^text\/plain$/)];
const anyPatch = header('PATCH', 'content-type', mergePatch);
let count = 0;

/** Treats requests as a patch of a label, each time with another value. */
const writesLabel = (which: typeof emptyPatch): Broken =>
  asPatch(which, () => {
    count += 1;
    return { metadata: { labels: { count: String(count) } } };
  });

export const faults = [
  ...faultsOfEveryKind('errors', [
    fault('lets everybody in', 'unauthenticated unauthenticated-status in /configmaps', [replace(every, 401, some('Status'))]),
    fault('forbids strangers what they ask for', 'unauthenticated-status unauthenticated-body in /configmaps', [status(every, 401, 403)]),
    fault(
      'answers every refused write with 500',
      `create.absent-namespace create.name-too-long create.namespace-mismatch create.race create.taken-name delete.absent invalid-name malformed-body missing-body
       missing-patch-client-error not-acceptable unauthenticated unauthenticated-status unsupported-media-type unsupported-patch-type
       unsupported-patch-type-answer wrong-kind responses.body-compressed replace.absent replace.name-mismatch replace.other-uid replace.race replace.stale in /configmaps`,
      [status(not('GET'), isError, 500)],
    ),
    fault('takes a patch without a body for one that changes nothing', `missing-patch › ${patch}`, [answer(emptyPatch, some('ConfigMap'))]),
    fault('writes a label for a patch that it refuses', `missing-patch › ${patch}`, [
      writesLabel(emptyPatch),
      replace('PATCH', anyStatus, 400),
    ]),
    fault('fails for a patch without a body', `missing-patch-client-error › ${patch}`, [refuse(emptyPatch, 500)]),
    fault('writes a label for a replace without a body, which it refuses', 'missing-body › PUT …/configmaps', [
      writesLabel(emptyReplace),
      replace(emptyReplace, anyStatus, 400),
    ]),
    fault('writes what it refuses', 'refused-changes-nothing in /configmaps', [
      header(plainText, 'content-type', 'application/json'),
      replace(plainText, anyStatus, 415),
    ]),
    fault('reads the first of two objects in a body', 'malformed-body refused-changes-nothing in /configmaps', [
      sentText(withBody(/\}\{"/), (body) => body.slice(0, body.indexOf('}{"') + 1)),
    ]),
    fault('reads YAML that is called JSON', 'malformed-body in errors.malformed-body*/configmaps', [
      header(['POST', withType(/json/), withBody(/^\w+: /)], 'content-type', 'application/yaml'),
    ]),
    fault('takes every method for a read', 'method-not-allowed', [replace(every, 405, ok())]),
    fault('has something under every path', 'unknown-path', [replace(every, 404, ok())]),
    fault('ignores what follows the name of an object', 'unknown-subresource', [
      conformant,
      reroute(every, /(\/configmaps\/[^/?]+)\/[^?]*/, '$1'),
    ]),
    fault('refuses a delete of a subresource, and deletes the object', 'unknown-subresource › server, DELETE', [
      reroute('DELETE', /\/nosuch$/, ''),
      replace([/\/nosuch$/, 'DELETE'], anyStatus, 404),
    ]),
    fault('has a status of every kind', 'unknown-subresource › server, GET status', [
      conformant,
      reroute(every, /(\/configmaps\/[^/]+)\/status$/, '$1'),
    ]),
    fault('looks for a resource in all groups', 'unknown-path › server, a resource', [
      reroute(every, /^\/apis\/batch\/v1(?=\/.*\/configmaps)/, '/api/v1'),
    ]),
    fault('reads paths in any case', 'unknown-path › server, a plural', [reroute(every, '/ConfigMaps', '/configmaps')]),
    fault('knows resources by their singulars too', 'unknown-path › server, a singular', [reroute(every, /\/configmap$/, '/configmaps')]),
    fault('answers 400 for a patch of an unknown type', 'unsupported-patch-type-answer in errors.unsupported-patch-type*/configmaps', [
      conformant,
      replace(every, 415, 400),
    ]),
    fault(
      'applies a patch of an unknown type',
      'unsupported-patch-type unsupported-patch-type-answer in errors.unsupported-patch-type*/configmaps',
      [notConformant, anyPatch],
    ),
    fault('refuses a patch of an unknown type and applies it all the same', 'unsupported-patch-type', [
      notConformant,
      anyPatch,
      replace('PATCH', anyStatus, 415),
    ]),
    fault('says that absent objects are gone', 'create.absent-namespace delete.absent read.absent replace.absent in …/configmaps', [
      conformant,
      replace(every, 404, failure(410, 'Gone')),
    ]),
    fault('swallows what hurts', 'hostile too-large in › server, ', [
      answer(({ body }) => body.length > 3_000_000 || /\[\[\[\[|&l0|__proto__|\ufffd/.test(body.slice(0, 5_000)), some('ConfigMap')),
    ]),
  ]),
  ...faultsOf('errors', [
    fault('answers strangers in plain text', 'unauthenticated-body in errors.unauthenticated*/configmaps', [
      conformant,
      replies(every, 401, () => ({ headers: { 'content-type': 'text/plain' }, body: 'Unauthorized\n' })),
    ]),
    fault('answers strangers with a body of its own', 'unauthenticated-body in errors.unauthenticated*/configmaps', [
      conformant,
      replies(every, 401, () => ({ body: '{"Status":401,"StatusText":"Unauthorized"}' })),
    ]),
    fault('tells strangers another code in the body', 'unauthenticated-body in errors.unauthenticated*/configmaps', [
      errors(where('code', 401, set('code', 403))),
    ]),
    fault('reads and deletes for everybody', 'unauthenticated unauthenticated-status in errors.unauthenticated*/configmaps/{name}', [
      notConformant,
      acceptUser(strangers),
    ]),
    fault('hides from strangers what it serves', 'unauthenticated-status in errors.unauthenticated*/configmaps', [
      conformant,
      replace(every, 401, nothing),
    ]),
    fault('serves no watch paths, as everybody can see', ' in errors.unauthenticated*GET /api/v1/watch/', [
      answer(/ \/api\/v1\/watch\//, nothing),
    ]),
    fault('does not patch, as everybody can see', ' in errors.unauthenticated*PATCH', [refuse('PATCH', 405)]),
    fault('does not name what is invalid', 'invalid-name › POST …/configmaps', [errors(where('code', 422, drop('details.name')))]),
    fault('names another kind than that of what is invalid', 'invalid-name › POST …/configmaps', [
      errors(where('code', 422, set('details.kind', 'Secret'))),
    ]),
    fault('says nothing of what is wrong', 'status-schema › POST …/configmaps', [errors(drop('message'))]),
    fault('says errors in a version of its own', 'status-schema › POST …/configmaps', [errors(set('apiVersion', 'meta/v1'))]),
    fault('says in words when to try again', 'status-schema › POST …/configmaps', [errors(set('details.retryAfterSeconds', 'soon'))]),
  ]),
];
