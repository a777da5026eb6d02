// Settings that take effect at the next start: a secret is changed in a server's file, then the server is restarted.
import { randomBytes } from 'node:crypto';
import { Client } from '../client/client.js';
import { Unchecked } from '../client/expect.js';
import type { Reply } from '../client/reply.js';
import { passwordUsers } from '../fixtures/users.js';
import type { Credential, Subject } from '../requirements/index.js';
import { identified } from '../run/acceptance.js';
import { anyRequest } from '../run/anonymousAccess.js';
import type { Context } from '../run/context.js';
import { mustBeOffered, settingOf } from '../run/credentialChecks.js';
import { type SecondServerAddress, started } from '../run/secondServer.js';

/** The responses to the first secret in the file and to its replacement. */
interface Answers {
  readonly old: Reply;
  readonly changed: Reply;
}

/** Changes a token or a password of a running server. Returns the responses before and after the next start. */
export function restart(subject: Subject, context: Context): Promise<Record<'running' | 'after', Answers>> {
  return context.turns.alone('secondServer', () => restartAlone(subject, context));
}

async function restartAlone({ mechanism }: Subject, context: Context): Promise<Record<'running' | 'after', Answers>> {
  const isToken = mechanism === 'staticToken';
  mustBeOffered(context, isToken ? 'staticToken' : 'staticPassword');
  const { secrets } = settingOf(context).fixtures;
  const { secondServer: server } = context;
  if (server === undefined)
    throw new Unchecked('skipped', 'it needs a restart, and only managed targets are started here');
  const old = isToken ? secrets.staticToken.severalGroups : secrets.staticPassword.plain;
  const changed = randomBytes(18).toString('base64url');
  const credentialOf = (secret: string): Credential =>
    isToken ? { token: secret } : { username: passwordUsers.plain.name, password: secret };
  const ask = (at: SecondServerAddress): Promise<Answers> => askBoth(context, at, [old, changed], credentialOf);
  const file = isToken ? 'tokens.csv' : 'passwords.csv';
  try {
    const reached = await started(server);
    await server.change(file, old, changed);
    const running = await ask(reached);
    await server.stop();
    return { running, after: await ask(await started(server)) };
  } finally {
    await server.stop();
    await server.restore();
  }
}

async function askBoth(
  { run, client }: Context,
  at: SecondServerAddress,
  [old, changed]: readonly [string, string],
  credentialOf: (secret: string) => Credential,
): Promise<Answers> {
  client.redactor.add(changed);
  const other = new Client({ ...run.target, ...at }, undefined, { redactor: client.redactor });
  try {
    const ask = async (secret: string): Promise<Reply> => {
      const as = credentialOf(secret);
      return await identified({ run, client: other }, as, await other.send({ ...anyRequest, as }));
    };
    return { old: await ask(old), changed: await ask(changed) };
  } finally {
    client.adopt(other.takeExchanges());
    await other.close();
  }
}
