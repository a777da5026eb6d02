// What counts from the next start: a secret is changed in its file while a server runs, which then is started again.
import { randomBytes } from 'node:crypto';
import type { Credential, Subject } from '../../matrix/requirements/index.js';
import { secretsOf } from '../fixtures/fixtures.js';
import { passwordUsers } from '../fixtures/users.js';
import { told } from '../support/acceptance.js';
import { Client } from '../support/client.js';
import { Prerequisite, Unjudged } from '../support/expect.js';
import type { Reply } from '../support/reply.js';
import type { Reached } from '../support/secondServer.js';
import { offered, settingOf } from '../support/shown.js';
import { anyRequest } from '../support/strangers.js';
import type { Context } from '../support/worker.js';

/** Answers to the secret that was in the file at first, and to the one that took its place. */
interface Answers {
  readonly old: Reply;
  readonly changed: Reply;
}

/** Changes a token or a password under a running server: the answers while it runs, and those after its next start. */
export async function restart({ mechanism }: Subject, context: Context): Promise<Record<'running' | 'after', Answers>> {
  const isToken = mechanism === 'staticToken';
  offered(context, isToken ? 'staticToken' : 'staticPassword');
  const { secrets } = settingOf(context).fixtures;
  const { secondServer: server } = context;
  if (server === undefined)
    throw new Unjudged('skipped', 'it needs a restart, and only managed targets are started here');
  const old = isToken ? secrets.staticToken.severalGroups : secrets.staticPassword.plain;
  const changed = randomBytes(18).toString('base64url');
  const credentialOf = (secret: string): Credential =>
    isToken ? { token: secret } : { username: passwordUsers.plain.name, password: secret };
  const ask = (at: Reached): Promise<Answers> => askBoth(context, at, [old, changed], credentialOf);
  const file = isToken ? 'tokens.csv' : 'passwords.csv';
  const start = (): Promise<Reached> =>
    server.start().catch((cause: unknown) => {
      throw new Prerequisite('no second server could be started', { cause });
    });
  try {
    const reached = await start();
    await server.change(file, old, changed);
    const running = await ask(reached);
    await server.stop();
    return { running, after: await ask(await start()) };
  } finally {
    await server.stop();
    await server.restore();
  }
}

async function askBoth(
  { run, client }: Context,
  at: Reached,
  [old, changed]: readonly [string, string],
  credentialOf: (secret: string) => Credential,
): Promise<Answers> {
  const other = new Client({ ...run.target, ...at });
  const known = run.authentication === undefined ? [] : secretsOf(run.authentication.fixtures);
  for (const secret of [...known, changed]) other.redactor.add(secret);
  try {
    const ask = async (secret: string): Promise<Reply> => {
      const as = credentialOf(secret);
      return await told({ run, client: other }, as, await other.send({ ...anyRequest, as }));
    };
    return { old: await ask(old), changed: await ask(changed) };
  } finally {
    client.adopt(other.takeExchanges());
    await other.close();
  }
}
