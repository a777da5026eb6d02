// The response to a watch: its head, its media types, and refusals.
import { mediaTypes } from '../../matrix/api/index.js';
import { mediaTypeOf } from '../client/decoders.js';
import { equal, fail, status, statusObject } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import { fill } from '../client/paths.js';
import { NoAnswer } from '../client/reply.js';
import { eventsAbout, eventsOf, watching, watchPath } from '../client/streams/watches.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { formOf, makeNamed, versionNow, watchFromNow } from './forms.js';

const timeout = 10_000;

const malformed = ['abc', '-1', '12abc'];

/** Opens a watch that has no events, and watches that are refused. */
async function answered({ operation }: OperationSubject, context: Context) {
  const { client, sandbox, run } = context;
  const form = await formOf(operation, sandbox);
  const nobody = { labelSelector: 'kube-api-conformance/nothing=nothing' };
  const deadline = run.timeout ?? timeout;
  const headAt = (path: string) =>
    headOf(() => watchFromNow(context, { ...form, path }, nobody, async ({ status }) => status, { deadline }));
  const head = await headAt(form.path);
  const inAbsent = operation.path.includes('{namespace}')
    ? await headAt(fill(operation.path, sandbox.name(), form.name))
    : undefined;
  const yaml = await client.send({
    method: 'GET',
    path: watchPath(form.path, { timeoutSeconds: 1 }),
    headers: { accept: mediaTypes.yaml },
  });
  const refused = await Promise.all(malformed.map((version) => beginning(context, form.path, version)));
  return { head, inAbsent, yaml, refused };
}

/** Returns the status of a head, or the reason why none arrived. */
async function headOf(open: () => Promise<number>): Promise<number | string> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
}

/** Returns the first event of a watch from a version, if the watch begins. */
function beginning({ client }: Context, path: string, resourceVersion: string) {
  return watching(client, path, { resourceVersion, timeoutSeconds: 1 }, async (stream) => {
    if (stream.refusal === undefined) await stream.until((events) => events.length > 0);
    return { request: stream.request, status: stream.status, first: eventsOf(stream)[0] };
  });
}

/** Watches from before a create until its event arrives, with an Accept header, and with others. */
async function acceptedAs(
  { operation }: OperationSubject,
  { client, sandbox }: Context,
  accept: string,
  others: Readonly<Record<string, string>> = {},
) {
  const form = await formOf(operation, sandbox);
  const from = await versionNow(sandbox, form);
  await makeNamed(sandbox, form);
  const headers = { accept, ...others };
  return watching(
    client,
    form.path,
    { resourceVersion: from },
    async (stream) => {
      const about = () => eventsAbout(form.name, stream);
      await stream.until(() => about().length > 0);
      const { request, status } = stream;
      const type = mediaTypeOf(stream.headers['content-type']);
      const sent = brief(headers).replaceAll('"', '');
      return { request: `${request}, ${sent}`, status, type, first: about()[0]?.type };
    },
    { headers },
  );
}

/** What clients in Go send with every request. */
const takesGzip = { 'accept-encoding': 'gzip' };

/** Spellings of `true` for which the first event of a watch shows that it was understood. */
const spellings = ['1', 'True'];

/** Watches from before a create with each spelling, and lists with another spelling of `false`. */
async function spelled({ operation }: OperationSubject, { client, sandbox }: Context) {
  const form = await formOf(operation, sandbox);
  const resourceVersion = await versionNow(sandbox, form);
  await makeNamed(sandbox, form);
  const watched = [];
  for (const watch of spellings) {
    const query = { watch, resourceVersion };
    watched.push(
      await watching(client, form.path, query, async (stream) => {
        await stream.until(() => eventsAbout(form.name, stream).length > 0);
        const { request, status } = stream;
        return { request, status, first: eventsAbout(form.name, stream)[0]?.type };
      }),
    );
  }
  const listed = await client.send({ method: 'GET', path: `${form.path}?watch=False&timeoutSeconds=1` });
  return { form, watched, listed };
}

/** Sends a read of one object with `watch=true`. */
async function readWatching({ operation }: OperationSubject, { client, sandbox }: Context) {
  const form = await formOf(operation, sandbox);
  await makeNamed(sandbox, form);
  const path = watchPath(form.path, { timeoutSeconds: 1 });
  return { form, reply: await client.send({ method: 'GET', path }) };
}

type Accepted = Recorded<typeof acceptedAs>;

/** Throws Failure unless the response is a stream of JSON events with the Content-Type of JSON. */
function streamsJson({ request, status, type, first }: Accepted): void {
  equal(status, 200, `${request}: status`);
  equal(type, 'application/json', `${request}: Content-Type`);
  equal(first, 'ADDED', `${request}: the type of the first event of that object`);
}

/** Throws Failure unless the head arrived, with 200. */
function begins(head: number | string, what: string): void {
  if (typeof head === 'string') fail(`${what}: ${head}`);
  equal(head, 200, `${what}: status`);
}

export const answerGroups = [
  group({
    subjects: 'reads',
    setup: readWatching,
    checks: {
      'named-read': ({ form, reply }) => {
        status(reply, 200);
        equal(at(reply.value(), 'kind'), form.resource.kind, `${reply.request}: kind`);
        equal(at(reply.value(), 'metadata', 'name'), form.name, `${reply.request}: metadata.name`);
      },
    },
  }),
  group({
    subjects: 'spelledWatches',
    setup: spelled,
    checks: {
      spelling: ({ form, watched, listed }) => {
        for (const { request, status: given, first } of watched) {
          equal(given, 200, `${request}: status`);
          equal(first, 'ADDED', `${request}: the type of the first event of that object`);
        }
        status(listed, 200);
        equal(at(listed.value(), 'kind'), `${form.resource.kind}List`, `${listed.request}: kind`);
      },
    },
  }),
  group({
    subjects: 'watchAnswers',
    setup: answered,
    checks: {
      'headers-first': ({ head, inAbsent }) => {
        begins(head, 'a watch with nothing to tell');
        // The user may have rights in some namespaces only.
        if (inAbsent !== undefined && inAbsent !== 403) begins(inAbsent, 'a watch in a namespace that does not exist');
      },
      'yaml-refused': ({ yaml }) => {
        status(yaml, 406);
        statusObject(yaml, 'NotAcceptable');
      },
      'version-malformed': ({ refused }) => {
        for (const { request, status, first } of refused) {
          if (status >= 400 || first?.type === 'ERROR') continue;
          fail(`${request}: expected an error, got ${status} and ${brief(first?.type)}`);
        }
      },
    },
  }),
  group({
    subjects: 'coreWatches',
    setup: async (subject, context) => ({
      json: await acceptedAs(subject, context, mediaTypes.json),
      any: await acceptedAs(subject, context, '*/*', takesGzip),
    }),
    checks: {
      'core-type': ({ json, any }) => {
        streamsJson(json);
        streamsJson(any);
      },
    },
  }),
  group({
    subjects: 'groupWatches',
    setup: async (subject, context) => ({
      json: await acceptedAs(subject, context, mediaTypes.json),
      stream: await acceptedAs(subject, context, mediaTypes.jsonWatch, takesGzip),
    }),
    checks: {
      'group-type': ({ json }) => streamsJson(json),
      'group-stream-type': ({ stream }) => streamsJson(stream),
    },
  }),
];
