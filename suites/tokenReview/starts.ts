// The webhook configuration at the start of a server: with a wrong configuration, no token is reviewed.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail } from '../client/expect.js';
import type { Reply } from '../client/reply.js';
import { standInUrl } from '../fixtures/fixtures.js';
import type { Subject } from '../requirements/index.js';
import { notAccepted } from '../run/acceptance.js';
import type { Context } from '../run/context.js';
import { askingSecondServer, secondServerOf, settingOf } from '../run/credentialChecks.js';
import { group } from '../run/group.js';
import { type SecondServer, started } from '../run/secondServer.js';
import type { Run } from '../run/settings.js';
import { reviewText } from './reviewer.js';

const file = 'webhook.kubeconfig';

/** The text in the configuration that is replaced, and its replacement. */
const changes: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'no current context': ['current-context: webhook\n', ''],
  'a current context that is not there': ['current-context: webhook', 'current-context: absent'],
  'a context without a cluster': ['    cluster: reviewer\n    user', '    user'],
  'a context of an absent cluster': ['    cluster: reviewer\n    user', '    cluster: absent\n    user'],
  'a context of an absent user': ['    user: api-server\n', '    user: absent\n'],
  'an absent authority': ['stand-ins-ca.crt', 'absent-ca.crt'],
  'an absent client certificate': ['webhook-client.crt', 'absent-client.crt'],
};

/** The runs whose second server has started, or the reason why it does not start with the right configuration. */
const startable = new WeakMap<Run, Promise<void>>();

/** Throws Prerequisite if a server does not start with the right configuration. */
async function mustStart({ run }: Context, server: SecondServer): Promise<void> {
  const once = startable.get(run) ?? started(server).then(() => server.stop());
  startable.set(run, once);
  await once;
}

/**
 * Starts a server with the change. Returns its response to a webhook user; undefined if it does not start, and would with
 * the right configuration.
 */
async function startedWith(context: Context, server: SecondServer, from: string, to: string) {
  // Where no server starts, one that waits in vain is enough.
  await startable.get(context.run);
  try {
    await server.change(file, from, to);
    const reached = await server.start().catch(() => undefined);
    if (reached !== undefined) {
      startable.set(context.run, Promise.resolve());
      const token = settingOf(context).fixtures.secrets.webhookTokenReview.plain;
      return await askingSecondServer(context, reached, (ask) => ask({ token }));
    }
  } finally {
    await server.stop();
    await server.restore();
  }
  await mustStart(context, server);
  return undefined;
}

/** Starts a server whose remote service uses plain HTTP, and returns the requests to that service. */
async function overHttp(context: Context) {
  const server = secondServerOf(context);
  const { fixtures } = settingOf(context);
  const texts: string[] = [];
  const service = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => texts.push(chunk.toString('utf8')));
    request.on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(reviewText(context, {})),
    );
  });
  await new Promise<void>((resolve) => service.listen(0, fixtures.address, resolve));
  const { port } = service.address() as AddressInfo;
  const secure = standInUrl(fixtures, 'webhookReviewer');
  const plain = new URL(secure.replace(/^https/, 'http'));
  plain.port = String(port);
  try {
    const reply = await startedWith(context, server, secure, plain.href);
    return { reply, isTold: texts.join('').includes(fixtures.secrets.webhookTokenReview.plain) };
  } finally {
    service.closeAllConnections();
    service.close();
  }
}

async function wrongly({ variant = '' }: Subject, context: Context): Promise<Reply | undefined> {
  const [from, to] = changes[variant] ?? fail(`no change for ${variant}`);
  return await startedWith(context, secondServerOf(context), from, to);
}

const alone = <T>(context: Context, act: () => Promise<T>): Promise<T> => context.turns.alone('secondServer', act);

export const startGroups = [
  group({
    subjects: 'unlinkedConfigurations',
    setup: (subject, context) => alone(context, () => wrongly(subject, context)),
    checks: { 'context-required': notAccepted },
  }),
  group({
    subjects: 'incompleteConfigurations',
    setup: (subject, context) => alone(context, () => wrongly(subject, context)),
    checks: {
      'files-required': (reply) => {
        if (reply !== undefined) fail('the server started with a configuration that names a file that is not there');
      },
    },
  }),
  group({
    subjects: 'plainConfigurations',
    setup: (_, context) => alone(context, () => overHttp(context)),
    checks: {
      'https-only': ({ reply, isTold }) => {
        if (isTold) fail('the server told a token to a remote service over plain HTTP');
        notAccepted(reply);
      },
    },
  }),
];
