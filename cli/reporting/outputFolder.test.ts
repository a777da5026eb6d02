// Tests the folder of a run: foreign files are not replaced, and two runs do not share it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginningOf } from '../running.js';
import { checkOwn, takeFolder } from './outputFolder.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'output-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, text = ''): void => writeFileSync(join(folder, name), text);
const lock = (): string => join(folder, '.run.lock');
/** Returns the id of a process that has ended. */
const dead = (): number => spawnSync('true').pid;

describe.each(['index.html', 'report.json', 'junit.xml', 'summary.md', 'badge.svg', 'badge.json', 'map.svg'])(
  'a folder with %s',
  (name) => {
    it('of somebody else is refused', () => {
      put(name, '<h1>mine</h1>');
      const sentence = new RegExp(`^--output: \\S+${name} is not the file of a run.*: give another folder$`);
      expect(() => checkOwn(folder)).toThrow(sentence);
      expect(() => takeFolder(folder)).toThrow(sentence);
      expect(existsSync(lock())).toBe(false);
    });

    it.each(['evidence.jsonl', 'evidence.jsonl.gz', 'evidence', 'report'])('beside our %s is taken', (own) => {
      put(name);
      if (own === 'evidence') mkdirSync(join(folder, own));
      else if (own === 'report') put('report.json', '{\n  "reportVersion": 2,');
      else put(own);
      expect(() => checkOwn(folder)).not.toThrow();
    });
  },
);

it('a folder with other files is taken', () => {
  put('notes.txt');
  expect(() => checkOwn(folder)).not.toThrow();
});

it('holds the folder until it is released', () => {
  const taken = takeFolder(folder);
  taken.name('abc123');
  const began = beginningOf(process.pid);
  expect(JSON.parse(readFileSync(lock(), 'utf8'))).toEqual({
    pid: process.pid,
    host: hostname(),
    began,
    runId: 'abc123',
  });
  taken.release();
  expect(existsSync(lock())).toBe(false);
});

it.each([
  ['a run that is writing', { pid: process.ppid, host: hostname(), runId: 'abc123' }, /run abc123 \(pid \d+\) is writ/],
  [
    'a run that tells when it began',
    { pid: process.ppid, host: hostname(), began: beginningOf(process.ppid) },
    /is writ/,
  ],
  ['one that has not begun', { pid: process.ppid, host: hostname() }, /another run \(pid \d+\) is writing into/],
])('refuses the folder of %s', (_, holder, sentence) => {
  put('.run.lock', JSON.stringify(holder));
  expect(() => takeFolder(folder)).toThrow(sentence);
  expect(JSON.parse(readFileSync(lock(), 'utf8'))).toEqual(holder);
});

it.each([
  ['a process that is dead', () => JSON.stringify({ pid: dead(), host: hostname() })],
  ['this process, in a container that began again', () => JSON.stringify({ pid: process.pid, host: hostname() })],
  ['a container that is gone', () => JSON.stringify({ pid: process.ppid, host: 'gone' })],
  ['a process that was killed while it wrote', () => '{"pid'],
])('takes over the lock of %s', (_, text) => {
  put('.run.lock', text());
  takeFolder(folder).release();
  expect(existsSync(lock())).toBe(false);
});

it.skipIf(beginningOf(process.pid) === undefined)(
  'takes over the lock of a process whose number another has now',
  () => {
    put('.run.lock', JSON.stringify({ pid: process.ppid, host: hostname(), began: 1 }));
    takeFolder(folder).release();
    expect(existsSync(lock())).toBe(false);
  },
);
