// The configuration of the webhook, at the start of a server: with what is wrong in it nobody is reviewed.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Subject } from '../../matrix/requirements/index.js';
import { standInUrl } from '../fixtures/fixtures.js';
import { notAccepted, told } from '../support/acceptance.js';
import { Client } from '../support/client.js';
import { fail, Prerequisite, Unjudged } from '../support/expect.js';
import type { Reply } from '../support/reply.js';
import type { SecondServer } from '../support/secondServer.js';
import { settingOf } from '../support/shown.js';
import { anyRequest } from '../support/strangers.js';
import type { Context } from '../support/worker.js';
import { reviewText } from './reviewer.js';

const file = 'webhook.kubeconfig';

/** What stands in the configuration, and what is put in its place. */
const changes: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'no current context': ['current-context: webhook\n', ''],
  'a current context that is not there': ['current-context: webhook', 'current-context: absent'],
  'a context without a cluster': ['    cluster: reviewer\n    user', '    user'],
  'a context of an absent cluster': ['    cluster: reviewer\n    user', '    cluster: absent\n    user'],
  'a context of an absent user': ['    user: api-server\n', '    user: absent\n'],
  'an absent authority': ['stand-ins-ca.crt', 'absent-ca.crt'],
  'an absent client certificate': ['webhook-client.crt', 'absent-client.crt'],
};

/** Who was seen to start with the configuration as it should be. */
const startable = new WeakMap<SecondServer, Promise<void>>();

async function secondServerOf(context: Context): Promise<SecondServer> {
  settingOf(context);
  const { secondServer: server } = context;
  if (server === undefined)
    throw new Unjudged('skipped', 'it needs a start, and only managed targets are started here');
  const once = startable.get(server) ?? server.start().then(() => server.stop());
  startable.set(server, once);
  await once.catch((cause: unknown) => {
    throw new Prerequisite('no second server could be started', { cause });
  });
  return server;
}

/** The answer to a user of the webhook, of a server that is started with the change; undefined where it does not start. */
async function startedWith(context: Context, server: SecondServer, from: string, to: string) {
  const { run, client } = context;
  try {
    await server.change(file, from, to);
    const reached = await server.start().catch(() => undefined);
    if (reached === undefined) return undefined;
    const as = { token: settingOf(context).fixtures.secrets.webhookTokenReview.plain };
    const other = new Client({ ...run.target, ...reached });
    other.redactor.add(as.token);
    try {
      return await told({ run, client: other }, as, await other.send({ ...anyRequest, as }));
    } finally {
      client.adopt(other.takeExchanges());
      await other.close();
    }
  } finally {
    await server.stop();
    await server.restore();
  }
}

/** Starts a server whose remote service speaks plain HTTP: what that is told. */
async function overHttp(context: Context) {
  const server = await secondServerOf(context);
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
  return await startedWith(context, await secondServerOf(context), from, to);
}

export const startPerformers = {
  unlinkedConfigurations: wrongly,
  incompleteConfigurations: wrongly,
  plainConfigurations: async (_: Subject, context: Context) => await overHttp(context),
};

export const startChecks = {
  'context-required': notAccepted,
  'files-required': (reply: Reply | undefined) => {
    if (reply !== undefined) fail('the server started with a configuration that names a file that is not there');
  },
  'https-only': ({ reply, isTold }: Awaited<ReturnType<typeof overHttp>>) => {
    if (isTold) fail('the server told a token to a remote service over plain HTTP');
    notAccepted(reply);
  },
};
