// The webhooks of the image of Kubernetes' own tests: of admission, and of the conversion of custom resources.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Process, type Program, ProgramError, pause } from '../kernel/process.js';
import { numberOf, parseFlags } from './flags.js';
import { respond, serveHttp, targetOf } from './httpServer.js';

interface AnyObject {
  readonly apiVersion?: string;
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, unknown>>;
  readonly spec?: { readonly containers?: readonly { readonly name?: string }[] };
  readonly [field: string]: unknown;
}

interface Question {
  readonly operation?: string;
  readonly name?: string;
  /** The object that is written; the one that is deleted, if none is. */
  readonly object: AnyObject;
}

interface Verdict {
  readonly allowed: boolean;
  readonly status?: { readonly message: string };
  readonly patchType?: 'JSONPatch';
  readonly patch?: string;
}

type Judge = (question: Question, signal: AbortSignal) => Promise<Verdict> | Verdict;

const allowed: Verdict = { allowed: true };
const denied = (message: string): Verdict => ({ allowed: false, status: { message } });
const patched = (...patch: readonly object[]): Verdict =>
  patch.length === 0
    ? allowed
    : { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };

/** The label or the entry by which an object asks to be refused. */
const [mark, unwanted, undeletable] = ['webhook-e2e-test', 'webhook-disallow', 'webhook-nondeletable'];

/** Adds what the stages of a mutation add: each finds what the one before it has left. */
const mutateData: Judge = ({ object: { data = {} } }) => {
  const stages = [
    ['mutation-start', 'mutation-stage-1'],
    ['mutation-stage-1', 'mutation-stage-2'],
  ];
  const due = stages.filter(([before = '']) => data[before] === 'yes');
  return patched(...due.map(([, stage]) => ({ op: 'add', path: `/data/${stage}`, value: 'yes' })));
};

const refuseData =
  (what: string): Judge =>
  ({ operation, object: { data = {} } }) => {
    if (operation === 'DELETE') {
      const why = `the ${what} cannot be deleted because it contains unwanted key and value`;
      return data[mark] === undeletable ? denied(why) : allowed;
    }
    return data[mark] === unwanted ? denied(`the ${what} contains unwanted ${unwantedPart[what]}`) : allowed;
  };

const unwantedPart: Readonly<Record<string, string>> = { configmap: 'key and value', 'custom resource': 'data' };

/** The milliseconds after which the slow webhook allows what it is asked. */
const slowness = 5000;

const addedContainer = { image: 'webhook-added-image', name: 'webhook-added-init-container', resources: {} };

const judges: Readonly<Record<string, Judge>> = {
  '/always-deny': () => denied('this webhook denies all requests'),
  '/always-allow-delay-5s': async (_, signal) => {
    await pause(signal, slowness);
    return { allowed: true, status: { message: 'this webhook allows all requests' } };
  },
  '/add-label': ({ object: { metadata: { labels } = {} } }) => {
    if (labels === undefined) return patched({ op: 'add', path: '/metadata/labels', value: { 'added-label': 'yes' } });
    const { 'added-label': before } = labels;
    if (before === 'yes') return allowed;
    const op = before === undefined ? 'add' : 'replace';
    return patched({ op, path: '/metadata/labels/added-label', value: 'yes' });
  },
  '/pods': async ({ object: { metadata: { labels = {} } = {}, spec: { containers = [] } = {} } }, signal) => {
    if (labels[mark] === 'wait-forever') await pause(signal);
    const why = [
      ...(labels[mark] === unwanted ? ['the pod contains unwanted label;'] : []),
      ...containers.flatMap(({ name = '' }) =>
        name.includes(unwanted) ? ['the pod contains unwanted container name;'] : [],
      ),
    ];
    return why.length === 0 ? allowed : denied(why.join(' '));
  },
  '/pods/attach': ({ name, object: { stdin, container } }) =>
    name === 'to-be-attached-pod' && stdin === true && container === 'container1'
      ? denied("attaching to pod 'to-be-attached-pod' is not allowed")
      : allowed,
  '/mutating-pods': ({ object }) =>
    object.metadata?.name === 'webhook-to-be-mutated'
      ? patched({ op: 'add', path: '/spec/initContainers', value: [addedContainer] })
      : allowed,
  '/configmaps': refuseData('configmap'),
  '/mutating-configmaps': mutateData,
  '/custom-resource': refuseData('custom resource'),
  '/mutating-custom-resource': mutateData,
  '/crd': ({ object: { metadata: { labels = {} } = {} } }) =>
    labels[mark] === unwanted ? denied('the crd contains unwanted label') : allowed,
};

/** Converts `hostPort: HOST:PORT` of `stable.example.com/v1` to `host` and `port` of v2, and back. Throws Error. */
function convert({ apiVersion = '', hostPort, host, port, ...rest }: AnyObject, to: string): AnyObject {
  if (apiVersion === to) throw new Error(`conversion from a version to itself should not call the webhook: ${to}`);
  if (to === 'stable.example.com/v2') {
    if (hostPort === undefined) return { apiVersion: to, ...rest };
    const parts = String(hostPort).split(':');
    if (parts.length !== 2) throw new Error(`invalid hostPort value: \`${hostPort}\``);
    return { apiVersion: to, ...rest, host: parts[0], port: parts[1] };
  }
  if (to !== 'stable.example.com/v1') throw new Error(`unexpected conversion version "${to}"`);
  if (host === undefined && port === undefined) return { apiVersion: to, ...rest };
  return { apiVersion: to, ...rest, hostPort: `${host ?? ''}:${port ?? ''}` };
}

interface Review {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: {
    readonly uid?: string;
    readonly name?: string;
    readonly operation?: string;
    readonly object?: AnyObject | null;
    readonly oldObject?: AnyObject | null;
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly AnyObject[];
  };
}

/** Answers a review; undefined for a path without a webhook. */
type Answer = (path: string, review: Review, signal: AbortSignal) => Promise<object | undefined>;

const admit: Answer = async (path, { request: { uid, object, oldObject, ...others } = {} }, signal) => {
  const judge = Object.hasOwn(judges, path) ? judges[path] : undefined;
  if (judge === undefined) return undefined;
  return { uid, ...(await judge({ ...others, object: object ?? oldObject ?? {} }, signal)) };
};

const convertAll: Answer = async (path, { request: { uid, desiredAPIVersion = '', objects = [] } = {} }) => {
  if (path !== '/crdconvert') return undefined;
  try {
    const convertedObjects = objects.map((object) => convert(object, desiredAPIVersion));
    return { uid, convertedObjects, result: { status: 'Success' } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { uid, convertedObjects: [], result: { status: 'Failure', message } };
  }
};

/** The most bytes of a review: more than an API server sends. */
const mostBytes = 8 * 1024 * 1024;

/** Makes `PROGRAM --tls-cert-file FILE --tls-private-key-file FILE [--port PORT]`. */
const webhook =
  (answerTo: Answer): Program =>
  async (process) => {
    const { valuesOf } = parseFlags(
      process.argv.slice(2).filter((argument) => !/^(--alsologtostderr|-v=\d+)$/.test(argument)),
      { valued: ['--tls-cert-file', '--tls-private-key-file', '--port'] },
    );
    const [certificate, key] = [valuesOf('--tls-cert-file')[0], valuesOf('--tls-private-key-file')[0]].map((path) =>
      path === undefined ? undefined : textOf(process, path),
    );
    if (certificate === undefined || key === undefined) {
      throw new ProgramError('give --tls-cert-file and --tls-private-key-file', 2);
    }
    const ports = { plain: [], tls: [numberOf(valuesOf('--port')[0] ?? '443')], identity: { certificate, key } };
    return await serveHttp(process, ports, async (request, response, _, signal) => {
      const { path } = targetOf(request);
      if (path === '/readyz') return respond(response, 'ok');
      await review(path, request, response, signal);
    });
    async function review(path: string, request: IncomingMessage, response: ServerResponse, signal: AbortSignal) {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of request as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > mostBytes) return respond(response, 'the review is too large', 413);
        chunks.push(chunk);
      }
      const asked = reviewIn(Buffer.concat(chunks).toString());
      if (asked === undefined) return respond(response, 'give a review, as JSON', 400);
      const answer = await answerTo(path, asked, signal);
      if (answer === undefined) return respond(response, '404 page not found\n', 404);
      const { apiVersion, kind } = asked;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ apiVersion, kind, response: answer }));
    }
  };

function textOf({ sandbox }: Process, path: string): string {
  const found = sandbox.files.get(path);
  if (found.kind !== 'file') throw new ProgramError(`${path} is not a file`);
  return Buffer.concat([...found.chunks()]).toString();
}

function reviewIn(text: string): Review | undefined {
  try {
    const review = JSON.parse(text) as unknown;
    return typeof review === 'object' && review !== null ? review : undefined;
  } catch {
    return undefined;
  }
}

/** `webhook`: allows, refuses and changes objects, each path in its way. */
export const admissionWebhook = webhook(admit);

/** `crd-conversion-webhook`: `/crdconvert` converts objects of `stable.example.com`. */
export const conversionWebhook = webhook(convertAll);
