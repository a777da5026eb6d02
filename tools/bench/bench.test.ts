import { expect, test } from 'vitest';
import { cpuMicroseconds, median, residentBytes } from './figures.js';
import { BadOption } from './options.js';
import { type Against, otherSubject } from './subject.js';
import { render } from './table.js';

const against = 'https://127.0.0.1:6443';
const ca = `${import.meta.dirname}/tsconfig.json`;

test.each<[Against, string]>([
  [{ ca }, '--ca goes with --against <url>, which is missing'],
  [{ pid: '1' }, '--pid goes with --against <url>, which is missing'],
  [{ against: 'nowhere' }, '--against: "nowhere" is not an https URL'],
  [{ against: 'http://127.0.0.1' }, '--against: "http://127.0.0.1" is not an https URL'],
  [{ against }, '--against needs --ca too'],
  [{ against, ca: '/nowhere' }, '--ca: ENOENT: no such file or directory'],
  [{ against, ca }, '--against needs --token too'],
  [{ against, ca, token: 'secret' }, '--against needs --pid too'],
  [{ against, ca, token: 'secret', pid: '1,x' }, '--pid: "x" is not a process id'],
  [{ against, ca, token: 'secret', pid: '-1' }, '--pid: "-1" is not a process id'],
  [{ against, ca, token: 'secret', pid: '99999999' }, '--pid: there is no process 99999999 on this machine'],
])('%j is refused', (options, message) => {
  expect(() => otherSubject(options)).toThrow(BadOption);
  expect(() => otherSubject(options)).toThrow(message);
});

test('another server comes from the options', () => {
  const options = { against: `${against}/`, ca, token: 'secret', pid: `${process.pid},1` };
  expect(otherSubject(options)).toMatchObject({ name: '127.0.0.1:6443', url: against, pids: [process.pid, 1] });
  expect(otherSubject({})).toBeUndefined();
});

test.runIf(process.platform === 'linux')('costs are the CPU time that the kernel counts for all processes', () => {
  const before = cpuMicroseconds([process.pid]);
  while (cpuMicroseconds([process.pid]) <= before);
  expect(cpuMicroseconds([process.pid])).toBeGreaterThan(before);
  expect(residentBytes([process.pid])).toBeGreaterThan(10e6);
  expect(residentBytes([process.pid, process.pid])).toBeGreaterThan(20e6);
  expect(() => cpuMicroseconds([99_999_999])).toThrow('ENOENT');
});

test('the median is one of the measured figures', () => {
  expect(median([30, 4, 100])).toBe(30);
  expect(median([8, 2, 4, 6])).toBe(4);
  expect(() => median([])).toThrow('no figures');
});

test('an unknown figure is a dash', () => {
  const table = render([{ name: 'one', figures: new Map([['create', { cold: 512.4, warm: 312.4 }]]) }]);
  expect(table).toMatch(/^create +≤ 350 µs +512 µs +312 µs$/m);
  expect(table).toMatch(/^from exec to ready +≤ 500 ms +– +–$/m);
});

test('two servers are compared by their ratio', () => {
  const figures = (cold: number) => new Map([['create', { cold }]]);
  const table = render([
    { name: 'one', figures: figures(200) },
    { name: 'other', figures: figures(1000) },
  ]);
  expect(table).toMatch(/^create +≤ 350 µs +200 µs +– +1000 µs +– +0\.200 +–$/m);
});
