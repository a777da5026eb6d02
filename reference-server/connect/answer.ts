// The response of a backend, as the answer of a handler.
import type { Answer } from '../request.js';
import type { Reply } from './backend.js';
import { endToEnd } from './headers.js';
import { joinUpgraded } from './join.js';

/** Joins an upgraded connection with the client's. Any other response passes with its status, headers and body. */
export function answerOf(reply: Reply, signal: AbortSignal, headers = endToEnd(reply.response.rawHeaders)): Answer {
  if ('socket' in reply) {
    return { relay: (_request, client, early) => joinUpgraded(reply, client, early, signal) };
  }
  const { response } = reply;
  const { statusCode = 502, statusMessage } = response;
  const reason = statusMessage && isReason.test(statusMessage) ? { reason: statusMessage } : {};
  return { status: statusCode, ...reason, headers, stream: response };
}

/** A reason phrase (RFC 9112, 4), without characters that a status line cannot hold. */
const isReason = /^[\t\x20-\x7e\x80-\xff]+$/;
