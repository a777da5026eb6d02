// How a watch is answered: its head, its media types, and what is refused.
import { mediaTypes } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { mediaTypeOf } from '../support/decoders.js';
import { equal, fail, status, statusObject } from '../support/expect.js';
import { at, brief } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import { NoAnswer, type Reply } from '../support/reply.js';
import { eventsAbout, eventsOf, watching, watchPath } from '../support/watching.js';
import type { Context } from '../support/worker.js';
import { formOf, makeNamed, versionNow, watchFromNow } from './forms.js';

const patience = 10_000;

const malformed = ['abc', '-1', '12abc'];

/** Opens a watch that has nothing to tell, and some that cannot begin. */
async function answered({ operation }: OperationSubject, context: Context) {
  const { client, scope, run } = context;
  const form = await formOf(operation, scope);
  const nobody = { labelSelector: 'kube-api-conformance/nothing=nothing' };
  const head = await headOf(() =>
    watchFromNow(context, form, nobody, async ({ status }) => status, { deadline: run.patience ?? patience }),
  );
  const yaml = await client.send({
    method: 'GET',
    path: watchPath(form.path, { timeoutSeconds: 1 }),
    headers: { accept: mediaTypes.yaml },
  });
  const refused = await Promise.all(malformed.map((version) => beginning(context, form.path, version)));
  return { head, yaml, refused };
}

/** The status of a head, or why none came. */
async function headOf(open: () => Promise<number>): Promise<number | string> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
}

/** The first thing that a watch from a version tells, if it begins. */
function beginning({ client }: Context, path: string, resourceVersion: string) {
  return watching(client, path, { resourceVersion, timeoutSeconds: 1 }, async (stream) => {
    if (stream.refusal === undefined) await stream.until((events) => events.length > 0);
    return { request: stream.request, status: stream.status, first: eventsOf(stream)[0] };
  });
}

/** Watches from before a create until it is told, for a client that accepts a type. */
async function acceptedAs({ operation }: OperationSubject, { client, scope }: Context, accept: string) {
  const form = await formOf(operation, scope);
  const from = await versionNow(scope, form);
  await makeNamed(scope, form);
  const headers = { accept };
  return watching(
    client,
    form.path,
    { resourceVersion: from },
    async (stream) => {
      const about = () => eventsAbout(form.name, stream);
      await stream.until(() => about().length > 0);
      const { request, status, headers } = stream;
      const type = mediaTypeOf(headers['content-type']);
      return { request: `${request}, Accept ${accept}`, status, type, first: about()[0]?.type };
    },
    { headers },
  );
}

/** Asks for the path of one object as for a watch. */
async function readWatching({ operation }: OperationSubject, { client, scope }: Context) {
  const form = await formOf(operation, scope);
  await makeNamed(scope, form);
  const path = watchPath(form.path, { timeoutSeconds: 1 });
  return { form, reply: await client.send({ method: 'GET', path }) };
}

export const answerPerformers = {
  reads: readWatching,
  watchAnswers: answered,
  coreWatches: async (subject: OperationSubject, context: Context) => ({
    json: await acceptedAs(subject, context, mediaTypes.json),
    any: await acceptedAs(subject, context, '*/*'),
  }),
  groupWatches: async (subject: OperationSubject, context: Context) => ({
    json: await acceptedAs(subject, context, mediaTypes.json),
    stream: await acceptedAs(subject, context, mediaTypes.jsonWatch),
  }),
};

type Performers = typeof answerPerformers;
type Accepted = Recorded<typeof acceptedAs>;

/** It is a stream of JSON events, and called JSON. */
function streamsJson({ request, status, type, first }: Accepted): void {
  equal(status, 200, `${request}: status`);
  equal(type, 'application/json', `${request}: Content-Type`);
  equal(first, 'ADDED', `${request}: the type of the first event of that object`);
}

export const answerChecks = {
  'named-read': ({ form, reply }: Recorded<typeof readWatching>) => {
    status(reply, 200);
    equal(at(reply.value(), 'kind'), form.resource.kind, `${reply.request}: kind`);
    equal(at(reply.value(), 'metadata', 'name'), form.name, `${reply.request}: metadata.name`);
  },
  'headers-first': ({ head }: Recorded<Performers['watchAnswers']>) => {
    if (typeof head === 'string') fail(`a watch with nothing to tell: ${head}`);
    equal(head, 200, 'a watch with nothing to tell: status');
  },
  'yaml-refused': ({ yaml }: { readonly yaml: Reply }) => {
    status(yaml, 406);
    statusObject(yaml, 'NotAcceptable');
  },
  'version-malformed': ({ refused }: Recorded<Performers['watchAnswers']>) => {
    for (const { request, status, first } of refused) {
      if (status >= 400 || first?.type === 'ERROR') continue;
      fail(`${request}: expected an error, got ${status} and ${brief(first?.type)}`);
    }
  },
  'core-type': ({ json, any }: Recorded<Performers['coreWatches']>) => {
    streamsJson(json);
    streamsJson(any);
  },
  'group-type': ({ json }: Recorded<Performers['groupWatches']>) => streamsJson(json),
  'group-stream-type': ({ stream }: Recorded<Performers['groupWatches']>) => streamsJson(stream),
};
