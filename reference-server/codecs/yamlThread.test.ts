import { afterEach, expect, test } from 'vitest';
import { StatusError } from '../statusError.js';
import { yaml } from './yaml.js';
import { createYaml, YamlThread } from './yamlThread.js';

const threads: YamlThread[] = [];
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
});

/** Starts a thread with the real script, or with the given source. */
function start(script?: string): YamlThread {
  const thread = script === undefined ? new YamlThread() : new YamlThread(dataUrl(script));
  threads.push(thread);
  return thread;
}

const dataUrl = (script: string) =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';${script}`)}`);
const bytes = (text: string) => Buffer.from(text);
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.each([
  ['scalars', 'a: [1, 1.5, yes, 010, 0o17, ~, "x"]\nb: {"é": "\\ud800"}\n'],
  ['an alias', '- &a {k: v}\n- *a\n'],
  ['keys that are numbers', '"1": a\n"0": b\n'],
  ['deep lists', nested(999)],
  ['a long text', `k: |\n${'  text\n'.repeat(20_000)}`],
])('reads the same as the codec: %s', async (_, text) => {
  const codec = createYaml(start());
  expect(await codec.decodeInTurns?.(bytes(text))).toEqual(yaml.decode(bytes(text)));
});

test.each(['a: [', 'a: .inf', '- a\n---\n- b\n', nested(1002), '__proto__: {}'])(
  'refuses the same as the codec: %.20s',
  async (text) => {
    const codec = createYaml(start());
    const error: unknown = await codec.decodeInTurns?.(bytes(text)).catch((error: unknown) => error);
    if (!(error instanceof StatusError)) throw error;
    expect(error.code).toBe(400);
    expect(() => yaml.decode(bytes(text))).toThrow(error.message);
  },
);

test('writes the same as the codec', async () => {
  const codec = createYaml(start());
  const object = { kind: 'A', b: ['yes', '1e3', 'x\n\n', { c: null }], a: { é: -1.5 } };
  expect(await codec.encodeInTurns?.(bytes(JSON.stringify(object)))).toEqual(
    new Uint8Array(yaml.encode(object, false)),
  );
});

test('runs jobs in order and returns each result to its caller', async () => {
  const thread = start();
  const jobs = Array.from({ length: 50 }, (_, at) => thread.run('decode', bytes(`a: ${at}`)));
  const texts = (await Promise.all(jobs)).map((read) => Buffer.from(read).toString());
  expect(texts).toEqual(jobs.map((_, at) => `{"a":${at}}`));
});

test('a thread that dies is replaced, and a job that killed two threads fails', async () => {
  const thread = start(`parentPort.on('message', ({ bytes }) => {
    const text = Buffer.from(bytes).toString();
    if (text === 'die') process.exit(1);
    if (text === 'throw') throw new Error('no more');
    parentPort.postMessage({ bytes });
  });`);
  const jobs = ['a', 'die', 'b', 'throw', 'c'].map((text) =>
    thread.run('decode', bytes(text)).then(
      (done) => Buffer.from(done).toString(),
      ({ message }) => message,
    ),
  );
  expect(await Promise.all(jobs)).toEqual([
    'a',
    'the thread that reads and writes YAML ended: without a reason',
    'b',
    'the thread that reads and writes YAML ended: no more',
    'c',
  ]);
});

test('a full queue refuses jobs, and closing ends running ones', async () => {
  const thread = start(`parentPort.on('message', () => {});`);
  const jobs = Array.from({ length: 102 }, () => thread.run('decode', bytes('a')).catch((error: unknown) => error));
  expect(await jobs[101]).toMatchObject({ code: 503, message: 'too many long YAML texts are waiting' });
  await thread.close();
  expect(await jobs[0]).toMatchObject({ code: 503, message: 'the server is stopping' });
  expect(await jobs[100]).toMatchObject({ code: 503 });
  await expect(thread.run('decode', bytes('a'))).rejects.toMatchObject({ code: 503 });
});
