// The audit log: an event of audit.k8s.io/v1 for each stage of a request, as the policy says.
import { randomUUID } from 'node:crypto';
import type { Verb } from '../../../matrix/api/index.js';
import type { Addon } from '../../addons.js';
import type { User } from '../../authentication/authenticator.js';
import { joined } from '../../codecs/codec.js';
import { json } from '../../codecs/json.js';
import type { ApiResponse, Locals } from '../../edge/locals.js';
import type { Observer } from '../../edge/observers.js';
import { jsonText } from '../../exactJson.js';
import type { Answer, Handler } from '../../request.js';
import { factsOf, type RequestFacts } from '../requests/facts.js';
import { type AuditLog, type AuditOptions, openLog } from './log.js';
import { type AuditStage, type Decision, metadataOfAll, type Policy, readPolicy } from './policy.js';

/** A request whose response has begun. */
interface Audited {
  readonly decision: Decision;
  /** What all events of the request have. */
  readonly head: object;
  readonly received: string;
  readonly isLong: boolean;
}

type Handlers = Record<Verb | 'discover', Handler>;

/** Resources whose bodies are secrets: no policy logs them. */
const secret = new Set(['secrets', 'tokenreviews']);
const long = new Set(['watch', 'proxy']);
const longSubresources = new Set(['attach', 'exec', 'portforward', 'proxy', 'log']);

/** Makes the audit log that the options ask for, if any. Throws an OptionError when the server starts. */
export const auditLog = (options: AuditOptions): Addon => ({
  async serve({ cluster, handlers, observers }) {
    const { auditPolicyFile: file } = options;
    const policy = file === undefined ? metadataOfAll : await readPolicy(file);
    const log = openLog(options);
    if (log === undefined) return {};
    const audit = new Audit(log, policy, cluster?.now ?? (() => new Date()));
    audit.remember(handlers);
    observers.add(audit);
    return { close: () => log.close() };
  },
});

class Audit implements Observer {
  readonly #log: AuditLog;
  readonly #policy: Policy;
  readonly #now: () => Date;
  readonly #audited = new WeakMap<ApiResponse, Audited>();
  /** The JSON of the objects that handlers have answered with, by request. */
  readonly #answers = new WeakMap<object, string>();

  constructor(log: AuditLog, policy: Policy, now: () => Date) {
    this.#log = log;
    this.#policy = policy;
    this.#now = now;
  }

  /** Replaces handlers by ones that remember their answers, where the policy wants these. */
  remember(handlers: Handlers): void {
    for (const [verb, handler] of Object.entries(handlers)) {
      handlers[verb as Verb] = async (request) => {
        const answer = await handler(request);
        if (this.#decide(factsOf(request.raw, request), request.user).level === 'RequestResponse')
          await this.#rememberOne(request.raw, answer);
        return answer;
      };
    }
  }

  async #rememberOne(request: object, answer: Answer): Promise<void> {
    if (!('body' in answer)) return;
    const inTurns = answer.body.encodeInTurns?.(json, false);
    const whole = joined(inTurns === undefined ? answer.body.encode(json, false) : await inTurns);
    this.#answers.set(request, Buffer.from(whole).toString().trimEnd());
  }

  answered(response: ApiResponse, status: number | undefined, began: number): void {
    const { req, locals } = response;
    const facts = factsOf(req, locals);
    const decision = this.#decide(facts, locals.user);
    if (decision.level === 'None') return;
    const since = performance.now() - began;
    const received = stamp(new Date(this.#now().getTime() - since));
    const isLong = long.has(facts.verb) || longSubresources.has(facts.subresource ?? '');
    const head = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: decision.level,
      auditID: randomUUID(),
    };
    this.#audited.set(response, { decision, head, received, isLong });
    // The middleware has not authenticated the sender: the request has no stages but its refusal, as on real servers.
    if (locals.user === undefined) {
      this.#add(response, 'ResponseStarted', status);
      return;
    }
    this.#add(response, 'RequestReceived', undefined);
    if (isLong && status !== undefined) this.#add(response, 'ResponseStarted', status);
  }

  ended(response: ApiResponse): void {
    if (response.locals.user === undefined) return;
    this.#add(response, 'ResponseComplete', response.headersSent ? response.statusCode : undefined);
  }

  #decide(facts: RequestFacts, user: User | undefined): Decision {
    const decision = this.#policy(facts, user?.groups ?? []);
    const isSecret = secret.has(facts.resource ?? '') || facts.subresource === 'token';
    return isSecret && decision.level !== 'None' ? { ...decision, level: 'Metadata' } : decision;
  }

  #add(response: ApiResponse, stage: AuditStage, status: number | undefined): void {
    const audited = this.#audited.get(response);
    if (audited === undefined || audited.decision.omits.has(stage)) return;
    const { head, received } = audited;
    const { req, locals } = response;
    const facts = factsOf(req, stage === 'RequestReceived' ? { ...locals, body: undefined } : locals);
    const isFirst = stage === 'RequestReceived';
    const event = {
      ...head,
      stage,
      requestURI: req.originalUrl,
      verb: facts.verb,
      ...usersOf(locals),
      sourceIPs: [(req.socket.remoteAddress ?? '').replace(/^::ffff:/, '')],
      ...(req.headers['user-agent'] !== undefined && { userAgent: req.headers['user-agent'] }),
      ...(facts.resource !== undefined && { objectRef: referenceOf(facts) }),
      ...(status !== undefined && { responseStatus: statusOf(status, locals) }),
    };
    const times = { requestReceivedTimestamp: received, stageTimestamp: isFirst ? received : stamp(this.#now()) };
    const rest = isFirst || locals.user === undefined ? times : { ...times, annotations: annotationsOf(locals) };
    // Both parts are whole objects: one follows the other.
    const parts = [JSON.stringify(event).slice(1, -1), ...this.#bodies(audited, response, stage)];
    this.#log.add(`{${[...parts, JSON.stringify(rest).slice(1, -1)].join(',')}}`);
  }

  #bodies({ decision: { level } }: Audited, response: ApiResponse, stage: AuditStage): readonly string[] {
    if (level === 'Metadata' || stage !== 'ResponseComplete') return [];
    const { body, error } = response.locals;
    const request = body === undefined ? [] : [`"requestObject":${jsonText(body.value)}`];
    if (level === 'Request') return request;
    const text = error === undefined ? this.#answers.get(response.req) : JSON.stringify(error.toStatus());
    return text === undefined ? request : [...request, `"responseObject":${text}`];
  }
}

/** The sender, and the user on whose behalf the sender acts. */
function usersOf({ user, sender }: Partial<Locals>): object {
  if (sender === undefined) return { user: shown(user) };
  return { user: shown(sender), impersonatedUser: shown(user) };
}

function shown(user: User | undefined): object {
  if (user === undefined) return {};
  const { name, uid, groups, extra } = user;
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}

function referenceOf({ path, group, resource, subresource, namespace, name }: RequestFacts): object {
  const segments = path.split('/');
  return {
    resource,
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(group && { apiGroup: group }),
    apiVersion: group ? segments[3] : segments[2],
    ...(subresource && { subresource }),
  };
}

function statusOf(code: number, { error }: Partial<Locals>): object {
  return { metadata: {}, ...(error && { status: 'Failure', reason: error.reason }), code };
}

/** A request that is refused before its operation is known was refused by the authorizer. */
function annotationsOf({ error, operation, annotations }: Partial<Locals>): object {
  const isForbidden = error?.code === 403 && operation === undefined;
  return {
    'authorization.k8s.io/decision': isForbidden ? 'forbid' : 'allow',
    'authorization.k8s.io/reason': '',
    ...annotations,
  };
}

/** A time with microseconds, as servers write it here. */
const stamp = (time: Date): string => time.toISOString().replace('Z', '000Z');
