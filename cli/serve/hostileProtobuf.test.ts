// Tests thousands of invalid protobuf bodies: each is a client error, and the server keeps working.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { protobuf } from '../../reference-server/testing/protobuf.js';
import { type Serving, startServing } from '../testing/serving.js';

const mediaType = 'application/vnd.kubernetes.protobuf';
const count = 3_000;
const path = '/apis/batch/v1/namespaces/default/jobs';

let serving: Serving;
let pool: Pool;
beforeAll(async () => {
  serving = await startServing('--nodes', '0');
  const { url, ca } = serving.cluster.facts;
  pool = new Pool(url, { connections: 8, connect: { ca: readFileSync(ca, 'utf8') } });
});
afterAll(async () => {
  await pool.close();
  await serving.stop();
});

const job = (name: string) => {
  const containers = [{ name: 'c', image: 'i', resources: { limits: { cpu: '100m' } } }];
  const template = { spec: { restartPolicy: 'Never', containers } };
  return Buffer.from(
    protobuf.encode({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template } }, false),
  );
};

/** Generates a valid body, cut and changed. */
const broken = fc
  .tuple(
    fc.nat(),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 2, 7, 8, 127, 128, 255)), { minLength: 1, maxLength: 6 }),
    fc.nat(40),
  )
  .map(([name, changes, cut]) => {
    const good = job(`fuzz-${name}`);
    for (const [at, byte] of changes) good[at % good.length] = byte;
    return good.subarray(0, good.length - cut);
  });
const random = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.concat([Buffer.from('k8s\0'), bytes]));
const huge = fc.constantFrom(0x7fff_ffff, 0x8000_0000, 0xffff_ffff).map((length) => {
  const varint = Array.from(
    { length: 5 },
    (_, index) => (Math.floor(length / 128 ** index) & 127) | (index < 4 ? 128 : 0),
  );
  return Buffer.from([...Buffer.from('k8s\0'), 0x12, ...varint, 1, 2, 3]);
});

/** Returns the memory of the server, in kibibytes. */
const memory = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${serving.child.pid}/status`, 'utf8'))?.[1] ?? 0);

async function send(body: Buffer): Promise<{ status: number; kind: unknown }> {
  const headers = { authorization: `Bearer ${serving.cluster.facts.token}`, 'content-type': mediaType };
  const answer = await pool.request({ method: 'POST', path, headers, body });
  const { kind } = (await answer.body.json()) as { kind?: unknown };
  return { status: answer.statusCode, kind };
}

it(`answers ${count} of them as client errors, in bounded memory`, async () => {
  const bodies = fc.sample(fc.oneof({ weight: 6, arbitrary: broken }, { weight: 3, arbitrary: random }, huge), count);
  const statuses = new Map<number, number>();
  for (let at = 0; at < bodies.length; at += 100) {
    const answers = await Promise.all(bodies.slice(at, at + 100).map(send));
    for (const [index, { status, kind }] of answers.entries()) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // A change within a string leaves a valid object.
      const fits = status === 200 ? kind === 'Job' : [400, 409, 422].includes(status) && kind === 'Status';
      if (!fits) throw new Error(`${status} ${String(kind)} for ${bodies[at + index]?.toString('hex')}`);
    }
  }
  expect(statuses.get(400) ?? 0).toBeGreaterThan(count / 3);
  if (process.platform === 'linux') expect(memory()).toBeLessThan(600 * 1024);
  expect((await send(job('alive'))).status).toBe(200);
});
