// The `clean` command: removes what an interrupted run left on a server.
import type { Command } from 'commander';
import { Client, cleanUp, readNotOffered } from '../suites/index.js';
import { resolveTarget, type TargetOptions } from './target.js';
import { UsageError } from './usageError.js';

/** Registers `clean`. */
export function registerClean(program: Command): void {
  program
    .command('clean')
    .description('remove what an interrupted run left behind')
    .requiredOption('--run <id>', 'the id of the run: it is in every name that the run made, as kac-<id>-…')
    .option('--url <url>', 'the server, as https://host:port')
    .option('--ca <file>', 'certificate of the authority that signed its certificate')
    .option('--token <token>', 'bearer token')
    .option('--kubeconfig <file>', 'take server, authority and credentials from this file')
    .option('--context <name>', 'context of the kubeconfig, instead of its current one')
    .action(async (options: TargetOptions & { readonly run: string }) => {
      if (!/^[0-9a-f]{6}$/.test(options.run))
        throw new UsageError(`--run: ${options.run} is not the id of a run (six hexadecimal digits)`);
      const client = new Client(resolveTarget(options));
      try {
        const left = await cleanUp(client, options.run, await readNotOffered(client));
        for (const name of left) process.stdout.write(`left: ${name}\n`);
        process.stdout.write(left.length === 0 ? 'nothing is left\n' : `${left.length} objects are left\n`);
        process.exitCode = left.length === 0 ? 0 : 1;
      } finally {
        await client.close();
      }
    });
}
