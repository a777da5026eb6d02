// A server of webhooks for tests: what each path answers, and what it was asked.

import type { AnyShape } from '../../testing/anyShape.js';
import { type PeerAnswer, peerCertificates, startHttpsPeer } from '../../testing/httpsPeer.js';

/** Answers a review: with the response of a review, or with anything else as `answer`. */
export type Respond = (
  request: AnyShape,
  review: AnyShape,
) => AnyShape | { readonly answer: PeerAnswer | Promise<PeerAnswer> };

export const caBundle = Buffer.from(peerCertificates.ca.certificate).toString('base64');

/** What a path was asked, in order. */
export interface Asked {
  readonly path: string;
  readonly review: AnyShape;
}

export class WebhookServer {
  readonly asked: Asked[] = [];
  readonly #responses = new Map<string, Respond>();

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<WebhookServer> {
    let server: WebhookServer | undefined;
    const peer = await startHttpsPeer(({ path, body }) => (server as WebhookServer).#answer(path, body));
    server = new WebhookServer(peer.url, peer.close);
    return server;
  }

  /** Returns the client configuration of a webhook that answers so. */
  on(path: string, respond: Respond): { readonly url: string; readonly caBundle: string } {
    this.#responses.set(path, respond);
    return { url: this.url + path, caBundle };
  }

  #answer(target: string, body: string): PeerAnswer | Promise<PeerAnswer> {
    const [path = ''] = target.split('?');
    const review = JSON.parse(body) as AnyShape;
    this.asked.push({ path, review });
    const respond = this.#responses.get(path);
    if (respond === undefined) return { status: 404 };
    const response = respond(review.request, review);
    if ('answer' in response) return response.answer;
    const { apiVersion, kind } = review;
    return { body: { apiVersion, kind, response: { uid: review.request.uid, ...response } } };
  }
}

/** The response that changes an object by a JSON patch. */
export const patching = (...operations: readonly object[]) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
