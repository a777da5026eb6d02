// What a service account comes with: a Secret that holds its token, and Secrets that ask for one.
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import type { Subject, Target } from '../../matrix/requirements/index.js';
import { attempt } from '../admission/objects.js';
import { decoded, ownerAnnotation } from '../support/accountTokens.js';
import { eventually } from '../support/eventually.js';
import { equal, fail, holds, nonEmptyString, status, statusObject, success, Unjudged } from '../support/expect.js';
import { at, brief, type JsonObject } from '../support/json.js';
import { dial } from '../support/route.js';
import { hasName, showed } from '../support/shown.js';
import type { Context } from '../support/worker.js';
import { accounts, makeAccount, patience, secretOf, secrets, userOf } from './accounts.js';

/** A subject set's record. */
type RecordOf<P extends (...args: never) => Promise<unknown>> = Awaited<ReturnType<P>>;

export const secretPerformers = {
  manualAccounts: async (_: Subject, { scope }: Context) => {
    const namespace = await scope.namespace('accounts');
    const { reply, name } = await attempt(scope, accounts, namespace);
    return { reply, name, namespace, found: await scope.current({ resource: accounts, name, namespace }) };
  },

  accountSecrets: async (_: Subject, context: Context) => {
    const { scope, run } = context;
    const account = await makeAccount(context, await scope.namespace('accounts'));
    const { namespace, name, secret } = account;
    const look = async () => at(await scope.current({ resource: accounts, name, namespace }), 'secrets');
    const listing = secret === undefined ? 0 : (run.patience ?? patience);
    const listed = await eventually(look, (list) => holdsName(list, secret), listing);
    return {
      account,
      listed,
      type: `${run.target.domains.secretType}/service-account-token`,
      unverified: await whyUnverified(run.target, decoded(secret, 'ca.crt')),
      publicKey: run.authentication?.fixtures.serviceAccountPublicKey,
    };
  },

  handmadeSecrets: async (_: Subject, context: Context) => {
    const { scope, client, run } = context;
    const type = `${run.target.domains.secretType}/service-account-token`;
    const account = await makeAccount(context, await scope.namespace('accounts'));
    const { namespace } = account;
    const ofAccount = { type, data: {}, metadata: { annotations: { [ownerAnnotation(scope)]: account.name } } };
    const made = await attempt(scope, secrets, namespace, ofAccount);
    const look = async () => decoded(await scope.current(made), 'token');
    const token = await eventually(look, (found) => found !== undefined, run.patience ?? patience);
    client.redactor.add(token);
    const good = token === undefined ? undefined : { credential: { token }, user: userOf(account) };
    return {
      made: made.reply,
      seen: good && (await showed(good, context)),
      ofNobody: (await attempt(scope, secrets, namespace, { type, data: {} })).reply,
    };
  },
};

/** A list of references has one to the Secret. */
function holdsName(list: unknown, secret: JsonObject | undefined): boolean {
  const name = at(secret, 'metadata', 'name');
  return Array.isArray(list) && name !== undefined && list.some((entry) => at(entry, 'name') === name);
}

/** Why a connection to the target cannot be verified with this authority alone; undefined where it can. */
async function whyUnverified(target: Target, ca: string | undefined): Promise<Unjudged | string | undefined> {
  if (!target.url.startsWith('https:'))
    return new Unjudged('skipped', 'the target speaks plain HTTP: it has no certificate');
  if (ca === undefined) return 'there is no ca.crt';
  try {
    const socket = dial(target, { ca, rejectUnauthorized: true });
    const deadline = setTimeout(() => socket.destroy(new Error('the handshake took too long')), handshakePatience);
    await once(socket, 'secureConnect').finally(() => clearTimeout(deadline));
    socket.destroy();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const handshakePatience = 5_000;

/** A JSON Web Token with a signature by a key that is not shared; the key of the fixtures, where the target has it. */
function signedToken(token: string, publicKey: string | undefined): void {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || signature === '') fail('the token is no JSON Web Token of three parts');
  const algorithm = at(parsed(header), 'alg');
  if (!/^((RS|ES|PS|HS)\d+|EdDSA)$/.test(String(algorithm))) fail(`the token is signed with ${brief(algorithm)}`);
  if (at(parsed(payload), 'sub') === undefined) fail('the payload of the token names nobody');
  if (publicKey === undefined || algorithm !== 'RS256') return;
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', signed, createPublicKey(publicKey), Buffer.from(signature, 'base64url')))
    fail('the signature of the token is not by the key that the server was given');
}

function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return fail('a part of the token is no base64 of JSON');
  }
}

type Secrets = RecordOf<typeof secretPerformers.accountSecrets>;
type Handmade = RecordOf<typeof secretPerformers.handmadeSecrets>;

const held = (secret: JsonObject, key: string): string => nonEmptyString(decoded(secret, key), `data['${key}']`);

export const secretChecks = {
  manual: ({ reply, name, namespace, found }: RecordOf<typeof secretPerformers.manualAccounts>) => {
    success(reply);
    holds(found, { kind: 'ServiceAccount', metadata: { name, namespace } }, 'the account, then read');
  },
  secret: ({ account }: Secrets) => {
    held(secretOf(account), 'ca.crt');
    held(secretOf(account), 'token');
  },
  'secret-listed': ({ account, listed }: Secrets) => {
    const secret = secretOf(account);
    if (!holdsName(listed, secret)) fail(`secrets of the account: ${brief(listed)} does not name its Secret`);
  },
  'secret-type': ({ account, type }: Secrets) => equal(secretOf(account).type, type, 'type of the Secret'),
  'secret-ca': ({ account, unverified }: Secrets) => {
    held(secretOf(account), 'ca.crt');
    if (unverified instanceof Unjudged) throw unverified;
    if (unverified !== undefined) fail(`the certificate of the server does not verify with ca.crt: ${unverified}`);
  },
  'secret-token': ({ account, publicKey }: Secrets) => signedToken(held(secretOf(account), 'token'), publicKey),
  'secret-namespace': ({ account }: Secrets) =>
    equal(held(secretOf(account), 'namespace'), account.namespace, "data['namespace']"),
  'secret-by-hand': ({ made, seen }: Handmade) => {
    success(made);
    if (seen === undefined) fail('the Secret got no token');
    else hasName(seen);
  },
  'secret-unknown-account': ({ ofNobody }: Handmade) => {
    status(ofNobody, 422);
    statusObject(ofNobody, 'Invalid');
  },
};
