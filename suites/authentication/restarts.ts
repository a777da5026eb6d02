// Settings that take effect at the next start: a secret is changed in a server's file, then the server is restarted.
import { randomBytes } from 'node:crypto';
import type { Reply } from '../client/reply.js';
import { passwordUsers } from '../fixtures/users.js';
import type { Credential, Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { askingSecondServer, mustBeOffered, secondServerOf, settingOf } from '../run/credentialChecks.js';
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
  const server = secondServerOf(context);
  const old = isToken ? secrets.staticToken.severalGroups : secrets.staticPassword.plain;
  const changed = randomBytes(18).toString('base64url');
  const credentialOf = (secret: string): Credential =>
    isToken ? { token: secret } : { username: passwordUsers.plain.name, password: secret };
  context.client.redactor.add(changed);
  const asked = (at: SecondServerAddress): Promise<Answers> =>
    askingSecondServer(context, at, async (ask) => ({
      old: await ask(credentialOf(old)),
      changed: await ask(credentialOf(changed)),
    }));
  const file = isToken ? 'tokens.csv' : 'passwords.csv';
  try {
    const reached = await started(server);
    await server.change(file, old, changed);
    const running = await asked(reached);
    await server.stop();
    return { running, after: await asked(await started(server)) };
  } finally {
    await server.stop();
    await server.restore();
  }
}
