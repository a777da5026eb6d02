// The outcome of a request: a response that was read whole, or none.
import type { Dispatcher } from 'undici';
import type { Call } from './calls.js';
import { decodeBody, isProtobuf, mediaTypeOf } from './decoders.js';
import { Failure } from './failure.js';
import { at, brief } from './json.js';
import { headerPairs } from './transport.js';

/** No response arrived: the connection failed or broke, or the deadline passed. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** A response that was read whole. */
export class Reply {
  #value: { readonly decoded: unknown } | { readonly failure: unknown } | undefined;

  constructor(
    readonly request: string,
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly bytes: Buffer,
  ) {}

  get mediaType(): string {
    return mediaTypeOf(this.headers['content-type']);
  }

  /** Returns the decoded body. Throws Failure if the body is malformed, or of a type that no check asks for. */
  value(): unknown {
    this.#value ??= this.#read();
    if ('failure' in this.#value) throw this.#value.failure;
    return this.#value.decoded;
  }

  #read(): { readonly decoded: unknown } | { readonly failure: unknown } {
    try {
      return { decoded: this.#decoded() };
    } catch (failure) {
      return { failure };
    }
  }

  #decoded(): unknown {
    try {
      return decodeBody(this.headers['content-type'], this.bytes);
    } catch (error) {
      const type = this.headers['content-type'] ?? 'without Content-Type';
      const start = brief(this.bytes.toString('utf8', 0, 300));
      const why = error instanceof Error ? error.message : String(error);
      throw new Failure(
        `${this.request}: expected a body that can be decoded, got ${this.status} ${type} ${start} (${why})`,
        { cause: error },
      );
    }
  }

  /** Returns the decoded body; undefined if the body cannot be decoded. */
  tryValue(): unknown {
    try {
      return this.value();
    } catch {
      return undefined;
    }
  }

  /** Returns the message of a Status, or the start of the body; for protobuf, the decoded body. */
  excerpt(): string {
    const value = this.tryValue();
    const message = at(value, 'message');
    if (typeof message === 'string') return brief(message);
    if (value !== undefined && isProtobuf(this.headers['content-type'])) return brief(value);
    return brief(this.bytes.toString('utf8', 0, 300));
  }
}

type Head = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

export function replyOf({ method, path }: Pick<Call, 'method' | 'path'>, answer: Head, bytes: Buffer): Reply {
  return new Reply(`${method} ${path}`, answer.statusCode, Object.fromEntries(headerPairs(answer.headers)), bytes);
}

/** The words of an authorizer about a user, and what the user may not do. */
const authorizers = /\buser "[^"]*" (cannot\b[^\n]*)/i;
/** Causes that do not depend on the user: the request would be refused for every user. */
const otherCauses =
  /is forbidden: (?!user )|quota|exceeded|admission|service ?account|webhook|denied the request|violates|not allowed/i;

/** Returns what the user may not do, in the words of an authorizer: `cannot list …`; undefined for other responses. */
export function refusedPermission(reply: Reply): string | undefined {
  return reply.status === 403 ? authorizers.exec(textOf(reply))?.[1] : undefined;
}

/**
 * The words of a server about what refused a write, and its name: an admission webhook, a policy, the policies of pods of
 * servers before 1.25, or PodSecurity.
 */
const admissions =
  /\badmission webhook "([^"]+)" denied the request|\bValidatingAdmissionPolicy '([^']+)' .*\bdenied request|\bforbidden: (PodSecurityPolicy): |\bviolates (PodSecurity) "/;

/** The plug-in of servers before 1.25 that refuses Pods. */
export const podPolicies = 'PodSecurityPolicy';

/** What refuses a Service when all addresses are in use. */
export const fullRange = 'full range of service addresses';

/** Reports whether a server has no free address for a Service. */
export const hasNoAddress = (reply: Reply): boolean =>
  reply.status === 500 && /\/services\b/.test(reply.request) && /\brange is full\b/.test(textOf(reply));

/** Reports whether a server that runs no privileged containers refuses one: kube-apiserver without --allow-privileged. */
export const refusesPrivileged = (reply: Reply): boolean =>
  reply.status === 422 && /\bprivileged: Forbidden: disallowed by (cluster )?policy\b/.test(textOf(reply));

/**
 * Returns the name of the admission webhook or policy that refused a write, the namespace whose level of PodSecurity did,
 * or the full range of addresses; undefined for other responses.
 */
export function refusingPolicy(reply: Reply): string | undefined {
  if (hasNoAddress(reply)) return fullRange;
  const [, webhook, policy, podPolicy, security] = (reply.status >= 400 && admissions.exec(textOf(reply))) || [];
  const [, namespace] = /\/namespaces\/([^/]+)\//.exec(reply.request) ?? [];
  return webhook ?? policy ?? podPolicy ?? (security && `${security} of the namespace ${namespace}`);
}

function textOf(reply: Reply): string {
  const message = at(reply.tryValue(), 'message');
  return typeof message === 'string' ? message : reply.bytes.toString('utf8', 0, 2_000);
}

/**
 * Reports whether the response refuses the credentials (401) or the user's permissions (403, no other cause). Admission
 * and quotas return 403 too.
 */
export function isDenied(reply: Reply): boolean {
  if (reply.status === 401) return true;
  if (reply.status !== 403) return false;
  const text = textOf(reply);
  return authorizers.test(text) || !otherCauses.test(text);
}
