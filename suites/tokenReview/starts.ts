// The configuration of the webhook, at the start of a server: what is wrong with it stops the start.
import type { Subject } from '../../matrix/requirements/index.js';
import { fail, Prerequisite, Unjudged } from '../support/expect.js';
import type { SecondServer } from '../support/secondServer.js';
import { settingOf } from '../support/shown.js';
import type { Context } from '../support/worker.js';

/** Whether a server of the target's kind starts with a text of its configuration replaced. */
async function startsWith(server: SecondServer, from: string, to: string): Promise<boolean> {
  await server.change('webhook.kubeconfig', from, to);
  const started = await server.start().then(
    () => true,
    () => false,
  );
  await server.stop();
  await server.restore();
  return started;
}

export const startPerformers = {
  wrongConfigurations: async (_: Subject, context: Context) => {
    settingOf(context);
    const { secondServer: server } = context;
    if (server === undefined)
      throw new Unjudged('not-run', 'not testable here: it needs a start, and only managed targets are started here');
    try {
      await server.start().catch((cause: unknown) => {
        throw new Prerequisite('no second server could be started', { cause });
      });
      await server.stop();
      return {
        overHttp: await startsWith(server, 'server: https:', 'server: http:'),
        withoutContext: await startsWith(server, 'current-context: webhook\n', ''),
      };
    } finally {
      await server.stop();
      await server.restore();
    }
  },
};

type Starts = Awaited<ReturnType<typeof startPerformers.wrongConfigurations>>;

export const startChecks = {
  'https-only': ({ overHttp }: Starts) => {
    if (overHttp) fail('the server started with a remote service whose URL is http');
  },
  'context-required': ({ withoutContext }: Starts) => {
    if (withoutContext) fail('the server started with a configuration that has no current context');
  },
};
