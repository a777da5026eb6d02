// A client of the health protocol of gRPC: one call of `grpc.health.v1.Health/Check`.
import { once } from 'node:events';
import { connect } from 'node:http2';
import type { Duplex } from 'node:stream';

/** The names of the statuses in the response, by their numbers. */
const statuses = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
const unimplemented = '12';

/** Asks for the health of a service, in plain HTTP/2. Rejects with Error if it is not healthy, and at the signal. */
export async function checkHealth(connection: Duplex, service: string, signal: AbortSignal): Promise<void> {
  const session = connect('http://pod', { createConnection: () => connection });
  const failed = once(session, 'error', { signal }).then(([error]) => {
    throw error;
  });
  failed.catch(() => {});
  try {
    const problem = await Promise.race([call(session, service, signal), failed]);
    if (problem !== undefined) throw new Error(problem);
  } catch (error) {
    if (signal.aborted) throw new Error('timeout: health rpc did not complete in time');
    throw error;
  } finally {
    session.destroy();
    connection.destroy();
  }
}

/** Resolves with what is wrong; undefined for a healthy service. */
async function call(
  session: ReturnType<typeof connect>,
  service: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Check',
    'content-type': 'application/grpc',
    'user-agent': 'kube-probe/1.20',
    te: 'trailers',
  });
  // Without a body, the status is in the headers.
  let status: string | undefined;
  const take = (headers: Record<string, unknown>) => {
    if (headers['grpc-status'] !== undefined) status = String(headers['grpc-status']);
  };
  stream.on('response', take).on('trailers', take);
  stream.end(messageOf(service));
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(stream, 'close', { signal });
  if (status === unimplemented) {
    return 'error: this server does not implement the grpc health protocol (grpc.health.v1.Health)';
  }
  if (status !== '0') return `error: health rpc failed with the status ${status ?? 'of no gRPC server'}`;
  // A prefix of five bytes, then the field 1: the status, or nothing for 0.
  const [, number = 0] = Buffer.concat(chunks).subarray(5);
  return number === 1 ? undefined : `service unhealthy (responded with "${statuses[number] ?? number}")`;
}

/** Returns the message of a request: a prefix, and the service as the field 1. */
function messageOf(service: string): Buffer {
  const name = Buffer.from(service);
  const length: number[] = [];
  for (let left = name.length; length.length === 0 || left > 0; left >>= 7) {
    length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
  }
  const field = name.length === 0 ? name : Buffer.concat([Buffer.of(0x0a, ...length), name]);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(field.length, 1);
  return Buffer.concat([prefix, field]);
}
