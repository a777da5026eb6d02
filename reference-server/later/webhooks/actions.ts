// Requests that store no object themselves: bindings, evictions, tokens, reviews, and connections. Webhooks and policies are
// asked before their handlers.
import { type Resource, subresourceOf, type Verb } from '../../../matrix/api/index.js';
import { reviseInTurn } from '../../admission/chain.js';
import { isDryRun } from '../../registry/dryRun.js';
import { type ApiRequest, type Handler, resourceOf } from '../../request.js';
import { decodeBody, decodeObject, type Expected } from '../../schema/body.js';
import { Causes } from '../../schema/causes.js';
import type { KubeObject } from '../../schema/object.js';
import { doInTurns } from '../../turns.js';
import { expectedBody } from '../../verbs/context.js';
import { type Asker, revisedBy } from './asker.js';
import { optionsOf, type Subject } from './subject.js';

const creating: readonly Verb[] = ['bind', 'evict', 'requestToken'];
const flags = ['stdin', 'stdout', 'stderr', 'tty'];

/** The kind of the options of a connection, and its parameters in the query. */
const connecting: Partial<Record<Verb, readonly [kind: string, ...parameters: string[]]>> = {
  exec: ['PodExecOptions', ...flags, 'container', 'command'],
  attach: ['PodAttachOptions', ...flags, 'container'],
  portforward: ['PodPortForwardOptions', 'ports'],
};
const proxying: readonly Verb[] = ['proxy', 'proxyPath', 'legacyProxy', 'legacyProxyPath'];

type Ask = (subject: Subject, object: KubeObject) => Promise<KubeObject>;

/** Those that are asked about these requests, in order: all revise before any reviews. */
export class Actions {
  readonly #askers: Asker[] = [];
  #isAttached = false;

  add(asker: Asker): void {
    this.#askers.push(asker);
  }

  /** Replaces the handlers of these requests by ones that ask first, while there is anybody to ask; once. */
  attach(handlers: Record<Verb | 'discover', Handler>): void {
    if (this.#isAttached) return;
    this.#isAttached = true;
    askBefore(
      handlers,
      () => this.#askers.some((asker) => asker.isThere()),
      (subject, object) => this.#ask(subject, object),
    );
  }

  async #ask(subject: Subject, object: KubeObject): Promise<KubeObject> {
    const there = this.#askers.filter((asker) => asker.isThere());
    const all = there.map((asker) => (given: KubeObject) => revisedBy(asker, subject, given));
    const { object: first, again } = await reviseInTurn(all, object);
    const revised = again === undefined ? first : await again(first, false);
    for (const asker of there) await asker.review(subject, revised);
    return revised;
  }
}

function askBefore(handlers: Record<Verb | 'discover', Handler>, isAsked: () => boolean, ask: Ask): void {
  const before = (verb: Verb, prepare: (request: ApiRequest, ask: Ask) => Promise<void> | undefined): void => {
    const handler = handlers[verb];
    handlers[verb] = (request) => {
      const prepared = isAsked() ? prepare(request, ask) : undefined;
      return prepared === undefined ? handler(request) : prepared.then(() => handler(request));
    };
  };
  before('create', (request) => (isStored(resourceOf(request)) ? undefined : askAboutBody(request, ask)));
  for (const verb of creating) before(verb, askAboutBody);
  for (const verb of [...Object.keys(connecting), ...proxying] as Verb[]) before(verb, askAboutConnection);
}

const isStored = ({ stated, unstated }: Resource): boolean => [...stated, ...unstated].includes('read');

async function askAboutBody(request: ApiRequest, ask: Ask): Promise<void> {
  const { body, operation, path } = request;
  const resource = resourceOf(request);
  const expected = expectedBody(resource, operation.verb as Verb);
  const causes = new Causes();
  const dryRun = isDryRun(request.query.getAll('dryRun'), causes);
  // the handler refuses it
  if (causes.list.length > 0) return;
  const object = (await decodeBody(expected, body)) as KubeObject;
  const subject: Subject = {
    ...subjectOfAction(request, expected),
    operation: 'CREATE',
    dryRun,
    options: optionsOf('CREATE', request, dryRun),
    name: path.name ?? object.metadata.name ?? '',
    taken: async (value: unknown) => (await doInTurns(decodeObject(expected, value))) as KubeObject,
  };
  const asked = await ask(subject, object);
  if (asked !== object) Object.assign(request, { body: { mediaType: 'application/json', value: asked } });
}

async function askAboutConnection(request: ApiRequest, ask: Ask): Promise<void> {
  const { operation, query, path } = request;
  const [kind, ...parameters] = connecting[operation.verb as Verb] ?? [`${resourceOf(request).kind}ProxyOptions`];
  const isProxy = parameters.length === 0;
  const fields = isProxy
    ? pathField(path.path === undefined ? (query.get('path') ?? '') : `/${path.path}`)
    : Object.fromEntries(parameters.flatMap((name) => fieldOf(name, query.getAll(name))));
  const expected = { apiVersion: 'v1', kind };
  const object = { kind, apiVersion: 'v1', ...fields } as unknown as KubeObject;
  const subject: Subject = {
    ...subjectOfAction(request, expected),
    operation: 'CONNECT',
    dryRun: false,
    name: path.name ?? '',
    taken: async (value: unknown) => value as KubeObject,
  };
  const asked = (await ask(subject, object)) as Readonly<Record<string, unknown>>;
  if (asked === object) return;
  for (const name of parameters) {
    query.delete(name);
    for (const value of [asked[name] ?? []].flat()) query.append(name, String(value));
  }
}

const pathField = (path: string): object => (path === '' ? {} : { path });

function fieldOf(name: string, values: readonly string[]): [name: string, value: unknown][] {
  const [first = ''] = values;
  if (name === 'command') return values.length === 0 ? [] : [[name, values]];
  if (name === 'ports')
    return values.length === 0 ? [] : [[name, values.flatMap((text) => text.split(',')).map(Number)]];
  if (flags.includes(name)) return ['1', 'true'].includes(first) ? [[name, true]] : [];
  return first === '' ? [] : [[name, first]];
}

function subresourceIn({ operation }: ApiRequest): string {
  const verb = operation.verb as Verb;
  return proxying.includes(verb) ? 'proxy' : (subresourceOf(verb) ?? '');
}

/** What all of these requests have in common: their objects have one version. */
function subjectOfAction(request: ApiRequest, expected: Expected) {
  const resource = resourceOf(request);
  return {
    resource,
    subresource: subresourceIn(request),
    namespace: request.path.namespace ?? '',
    origin: request,
    kindIn: () => expected,
    shown: (object: KubeObject) => object,
  };
}
