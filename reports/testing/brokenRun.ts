// Runs a part of the suite against a broken server, for tests that need real evidence of failures.
import { execFile } from 'node:child_process';
import type { Broken } from '../../suites/testing/faults/wire/fault.js';
import { startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { main, startReferenceServer } from '../../suites/testing/referenceServer.js';

/** Objects have no uid and lose their data, and a taken name is refused with a wrong reason. */
const broken: Broken = {
  reply: (reply) => ({
    ...reply,
    body: reply.body
      .replaceAll('"uid"', '"UID"')
      .replaceAll('"data"', '"Data"')
      .replaceAll('"AlreadyExists"', '"Exists"'),
  }),
};

/** Writes evidence and reports of the selected cases into a directory. */
export async function brokenRun(grep: string, output: string): Promise<void> {
  const server = await startReferenceServer();
  const proxy = await startFaultyProxy(server, broken);
  const options = ['run', '--url', proxy.url, '--token', server.token, '--grep', grep, '--output', output];
  try {
    await new Promise<void>((resolve, reject) => {
      execFile(process.execPath, [main, ...options], (error, _, complaints) => {
        if (error?.code === 1) resolve();
        else reject(new Error(`the run of a broken server did not fail: ${complaints}`, { cause: error }));
      });
    });
  } finally {
    await proxy.close();
    await server.stop();
  }
}
