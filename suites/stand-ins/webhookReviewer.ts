// A remote token review service over mutual TLS, with configurable responses and faults.
import { defined } from '../../matrix/api/index.js';
import { at } from '../client/json.js';
import { standInPaths } from '../fixtures/fixtures.js';
import type { Reaction, ReceivedCall } from './secureServer.js';

export interface ReviewedUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The response to reviews of one token. Absent members have their correct value. */
export interface ReviewReply {
  readonly authenticated: boolean;
  readonly user?: ReviewedUser;
  /** 200 when absent. */
  readonly httpStatus?: number;
  readonly contentType?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  /** The `spec` of the review, which is omitted when absent. */
  readonly spec?: unknown;
  /** Sent instead of a review. */
  readonly text?: string;
  /** The number of bytes in an unknown field. */
  readonly padding?: number;
  /** Redirects the caller to another path of this service, which returns a valid review. */
  readonly redirect?: true;
  /** Accepts the call and sends no response, or closes the connection. */
  readonly instead?: 'silence' | 'reset';
  /** The first calls get this status and no review. */
  readonly failures?: { readonly times: number; readonly httpStatus: number };
}

const { webhookReviewer: reviewPath } = standInPaths;
const redirectedPath = '/elsewhere';

export function reviewedToken({ body }: ReceivedCall): string | undefined {
  const token = at(body, 'spec', 'token');
  return typeof token === 'string' ? token : undefined;
}

export class WebhookReviewer {
  readonly #apiVersion: string;
  readonly #replies = new Map<string, ReviewReply>();
  readonly #failed = new Map<string, number>();

  /** `domain` is the domain of the authentication group. */
  constructor(domain: string) {
    this.#apiVersion = `authentication.${domain}/v1beta1`;
  }

  /** Sets the response to reviews of the token. Other tokens are not authenticated. */
  set(token: string, reply: ReviewReply): void {
    this.#replies.set(token, reply);
    this.#failed.delete(token);
  }

  readonly react = (call: ReceivedCall): Reaction => {
    const token = reviewedToken(call);
    const fault = this.#faultOf(call);
    if (fault !== undefined) return fault;
    if (token === undefined || token === '') return this.#refuse(400, 'spec.token is missing');
    const reply = this.#replies.get(token) ?? { authenticated: false };
    if (reply.instead !== undefined) return reply.instead;
    const failed = this.#failed.get(token) ?? 0;
    if (reply.failures !== undefined && failed < reply.failures.times) {
      this.#failed.set(token, failed + 1);
      return { status: reply.failures.httpStatus, body: 'not now' };
    }
    if (reply.redirect && call.path === reviewPath) return { status: 307, headers: { location: redirectedPath } };
    // A text too calls itself JSON: what is refused is what it says.
    const headers = { 'content-type': reply.contentType ?? 'application/json' };
    return { status: reply.httpStatus ?? 200, headers, body: reply.text ?? this.#review(reply) };
  };

  /** "A webhook implementer must check apiVersion of the request" (Versioning, 2). */
  #faultOf({ method, path, body }: ReceivedCall): Reaction | undefined {
    if (path !== reviewPath && path !== redirectedPath) return this.#refuse(404, `no reviews at ${path}`);
    if (method !== 'POST') return this.#refuse(405, 'reviews are posted');
    if (at(body, 'apiVersion') !== this.#apiVersion) return this.#refuse(400, `apiVersion is not ${this.#apiVersion}`);
    if (at(body, 'kind') !== 'TokenReview') return this.#refuse(400, 'kind is not TokenReview');
    return undefined;
  }

  #refuse(status: number, error: string): Reaction {
    return {
      status,
      body: { apiVersion: this.#apiVersion, kind: 'TokenReview', status: { authenticated: false, error } },
    };
  }

  #review({ authenticated, user, apiVersion, kind, spec, padding }: ReviewReply): unknown {
    return {
      apiVersion: apiVersion ?? this.#apiVersion,
      kind: kind ?? 'TokenReview',
      ...defined({ spec }),
      ...(padding === undefined ? {} : { padding: 'x'.repeat(padding) }),
      status: { authenticated, ...defined({ user }) },
    };
  }
}
