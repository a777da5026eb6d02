// Runs test files many times on a busy machine: a test that fails once, or that passes only when it is tried again, is
// flaky, and the command exits with 1. Its options: see `usage`.
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createVitest, startVitest } from 'vitest/node';

const root = process.cwd();
const usage = `npm run test:flaky -- [options] [part of a path]...
  --times <n>    how often each file runs (default: 20)
  --load <n>     threads that only count, beside the tests (default: 20)
  --minutes <n>  no run begins after this time (default: 60)`;

/** The options, as numbers, and the parts of paths. Ends the process if they are wrong. */
function read() {
  const defaults = { times: 20, load: 20, minutes: 60 };
  try {
    const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' }]));
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    for (const [name, value] of Object.entries(values))
      if (!/^\d{1,6}$/.test(value)) throw new Error(`--${name}: give a whole number`);
    const given = Object.entries(values).map(([name, value]) => [name, Number(value)]);
    return { ...defaults, ...Object.fromEntries(given), parts: positionals };
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}\n`);
    process.exit(2);
  }
}

/** Returns the test files whose paths contain one of the parts. */
async function filesOf(parts) {
  const vitest = await createVitest('test', { watch: false });
  const specifications = await vitest.globTestSpecifications(parts);
  await vitest.close();
  return [...new Set(specifications.map(({ moduleId }) => moduleId))].sort();
}

/** Runs a file once. Returns what went wrong: a line for each test, and for each error outside of tests. */
async function troublesOf(file) {
  const vitest = await startVitest('test', [file], { watch: false, reporters: [{}] });
  const { state } = vitest;
  const tests = state.getTestModules().flatMap(({ children }) => [...children.allTests()]);
  const hooks = state.getTestModules().flatMap((module) => [module, ...module.children.allSuites()]);
  const errors = [...hooks.flatMap((each) => each.errors()), ...state.getUnhandledErrors()];
  await vitest.close();
  const wrong = tests.filter((test) => test.result().state === 'failed' || test.diagnostic()?.flaky === true);
  return [
    ...wrong.map((test) => `${test.fullName}: ${messageOf(test.result().errors?.[0])}`),
    ...errors.map((error) => `outside of tests: ${messageOf(error)}`),
    ...(tests.length === 0 && errors.length === 0 ? ['no test in it has run'] : []),
  ];
}

const messageOf = (error) => String(error?.message ?? error).slice(0, 500);

const { times, load, minutes, parts } = read();
const files = await filesOf(parts);
if (files.length === 0) process.stderr.write(`no test file has ${parts.join(' or ')} in its path\n`);
const end = Date.now() + minutes * 60_000;
// Without pipes to this process: twenty of each are a leak to Node.js.
const silent = { eval: true, stdout: true, stderr: true };
const counting = Array.from({ length: load }, () => new Worker('for (;;);', silent));
const rows = files.map((file) => ({ name: relative(root, file), file, seconds: [], wrong: 0, troubles: new Map() }));

// In rounds: when the time is over, every file has been tried as often as every other one.
for (let round = 1; round <= times; round += 1) {
  process.env.SEED = String(Date.now() % 2 ** 31);
  for (const row of rows) {
    if (Date.now() > end) break;
    const began = Date.now();
    const troubles = await troublesOf(row.file);
    row.seconds.push((Date.now() - began) / 1000);
    if (troubles.length > 0) row.wrong += 1;
    for (const trouble of troubles) {
      row.troubles.set(trouble, (row.troubles.get(trouble) ?? 0) + 1);
      process.stdout.write(`round ${round}, SEED=${process.env.SEED}: ${row.name}: ${trouble}\n`);
    }
  }
}
await Promise.all(counting.map((worker) => worker.terminate()));

process.stdout.write('\n  runs  failed  slowest  file\n');
for (const { name, seconds, wrong } of rows.sort((one, other) => other.wrong - one.wrong)) {
  const slowest = Math.max(0, ...seconds).toFixed(0);
  process.stdout.write(
    `${String(seconds.length).padStart(6)}${String(wrong).padStart(8)}${slowest.padStart(7)} s  ${name}\n`,
  );
}
const fewer = rows.filter(({ seconds }) => seconds.length < times).length;
if (fewer > 0) process.stdout.write(`ended after ${minutes} minutes: ${fewer} files ran fewer than ${times} times\n`);
const isSure = files.length > 0 && rows.every(({ wrong, seconds }) => wrong === 0 && seconds.length > 0);
// What a test has left open shall not hold the command.
process.exit(isSure ? 0 : 1);
