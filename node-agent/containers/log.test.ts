// Tests logs: reading with options, and following.
import { describe, expect, test } from 'vitest';
import { formatTime, parseTime } from '../api/time.js';
import { ContainerLog, type LogOptions } from './log.js';

const second = 1_000_000_000n;
const start = parseTime('2026-01-01T00:00:00Z');
const never = new AbortController().signal;

/** Returns a log of ten lines, one second apart. */
function tenLines(): ContainerLog {
  const log = new ContainerLog();
  for (let at = 0; at < 10; at++) log.backdate(Number(start / 1_000_000n) + at * 1000, Buffer.from(`line ${at}\n`));
  log.end();
  return log;
}

async function read(log: ContainerLog, options: LogOptions, signal = never): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of log.read(options, signal)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const lines = (from: number, to = 9) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('');

describe('reading a log', () => {
  test.each<[string, LogOptions, string]>([
    ['the whole log', {}, lines(0)],
    ['a start before the first line', { since: start - 3600n * second }, lines(0)],
    ['a start at a line has the line', { since: start + 4n * second }, lines(4)],
    ['a start between lines', { since: start + 4n * second + 1n }, lines(5)],
    ['a start in the future', { since: start + 3600n * second }, ''],
    ['no lines from the end', { tailLines: 0 }, ''],
    ['lines from the end', { tailLines: 3 }, lines(7)],
    ['more lines than there are', { tailLines: 30 }, lines(0)],
    ['the last lines, and of those the late ones', { tailLines: 3, since: start + 9n * second }, lines(9)],
    ['the late ones are not made up to the number', { tailLines: 2, since: start + 2n * second }, lines(8)],
    ['bytes that end in a line', { limitBytes: 10 }, 'line 0\nlin'],
    ['bytes that end with a line', { limitBytes: 7 }, 'line 0\n'],
    ['more bytes than there are', { limitBytes: 1000 }, lines(0)],
    ['times', { timestamps: true, tailLines: 1 }, '2026-01-01T00:00:09.000000000Z line 9\n'],
    ['times count as bytes', { timestamps: true, limitBytes: 33 }, '2026-01-01T00:00:00.000000000Z li'],
    ['following what has ended', { follow: true, tailLines: 1 }, lines(9)],
  ])('%s', async (_, options, expected) => {
    expect(await read(tenLines(), options)).toBe(expected);
  });

  test('a line has one time, in however many writes; its newline may be missing', async () => {
    const log = new ContainerLog();
    const output = log.writer();
    for (const piece of ['par', 'tial\nnext', ' one\nla', 'st']) await output.write(Buffer.from(piece));
    log.end();
    expect(await read(log, {})).toBe('partial\nnext one\nlast');
    const stamped = (await read(log, { timestamps: true })).split('\n');
    expect(stamped.map((line) => line.slice(31))).toEqual(['partial', 'next one', 'last']);
    const times = stamped.map((line) => parseTime(line.slice(0, 30)));
    expect([...times].sort()).toEqual(times);
    expect(new Set(times).size).toBe(3);
  });

  test('a long line is whole, with one time', async () => {
    const log = new ContainerLog();
    await log.writer().write(Buffer.from(`${'x'.repeat(100_000)}\n`));
    log.end();
    expect(await read(log, { timestamps: true })).toMatch(/^.{30} x{100000}\n$/);
  });

  test('the outputs keep their lines apart', async () => {
    const log = new ContainerLog();
    const [stdout, stderr] = [log.writer(), log.writer()];
    await stdout.write(Buffer.from('out'));
    await stderr.write(Buffer.from('err\n'));
    await stdout.write(Buffer.from('put\n'));
    expect(await read(log, {})).toBe('err\noutput\n');
  });

  test('the oldest lines are dropped at the limit', async () => {
    const log = new ContainerLog(1000);
    const output = log.writer();
    for (let at = 0; at < 1000; at++) await output.write(Buffer.from(`line ${at}\n`));
    const rest = await read(log, {});
    expect(rest.length).toBeLessThanOrEqual(1000);
    expect(rest).toMatch(/line 999\n$/);
  });
});

describe('following a log', () => {
  test('yields new lines, and ends with the container', async () => {
    const log = new ContainerLog();
    const output = log.writer();
    await output.write(Buffer.from('old\nolder\n'));
    const reading = log.read({ follow: true, tailLines: 1 }, never)[Symbol.asyncIterator]();
    expect(String((await reading.next()).value)).toBe('older\n');
    const next = reading.next();
    await output.write(Buffer.from('new\n'));
    expect(String((await next).value)).toBe('new\n');
    const last = reading.next();
    log.end();
    expect((await last).done).toBe(true);
  });

  test('ends with the client', async () => {
    const client = new AbortController();
    const reading = read(new ContainerLog(), { follow: true }, client.signal);
    client.abort();
    expect(await reading).toBe('');
  });
});

describe('times', () => {
  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000000Z'],
    ['2026-01-01T01:00:00.5+01:00', '2026-01-01T00:00:00.500000000Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456789Z'],
  ])('%s', (text, expected) => expect(formatTime(parseTime(text))).toBe(expected));

  test.each(['', 'yesterday', '2026-01-01', '2026-01-01T00:00:00', '2026-13-01T00:00:00Z'])(
    '"%s" is not a time',
    (text) => expect(() => parseTime(text)).toThrow(RangeError),
  );
});
