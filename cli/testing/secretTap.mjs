// Loaded into each process of a run: records the credentials in requests to its HTTP servers, and Secrets in responses.
import { appendFileSync } from 'node:fs';
import { Server, ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';

const file = process.env.SECRET_TAP;

/** @param {string} kind @param {unknown} text */
const note = (kind, text) => {
  if (text) appendFileSync(file, `${JSON.stringify({ kind, text: String(text) })}\n`, { mode: 0o600 });
};

for (const { prototype } of [Server, SecureServer]) {
  const { emit } = prototype;
  prototype.emit = function (event, request, ...rest) {
    if (event === 'request' || event === 'upgrade') {
      note('authorization', request.headers.authorization);
      note('protocol', request.headers['sec-websocket-protocol']);
    }
    return emit.call(this, event, request, ...rest);
  };
}

for (const name of ['write', 'end']) {
  const method = ServerResponse.prototype[name];
  ServerResponse.prototype[name] = function (chunk, ...rest) {
    const isText = typeof chunk === 'string' || Buffer.isBuffer(chunk) || chunk instanceof Uint8Array;
    if (isText && /\/secrets/.test(this.req?.url ?? '')) note('answer', Buffer.from(chunk).toString('utf8'));
    return method.call(this, chunk, ...rest);
  };
}
