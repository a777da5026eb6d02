// The Secrets of a service account: its token Secret, and Secrets that request a token.

import { createPublicKey, verify } from 'node:crypto';
import { attempt } from '../admission/objects.js';
import { equal, fail, holds, nonEmptyString, status, statusObject, success, Unchecked } from '../client/expect.js';
import { at, brief, type JsonObject, readJson } from '../client/json.js';
import { decodedData, ownerAnnotation } from '../objects/accountTokens.js';
import { whenControlledBy } from '../objects/controllers.js';
import { eventually } from '../objects/eventually.js';
import { wasAccepted } from '../run/acceptance.js';
import { hasName, type SentCredential, sendCredential } from '../run/credentialChecks.js';
import { behindGateway } from '../run/gateway.js';
import { group } from '../run/group.js';
import { accounts, makeAccount, secretOf, secrets, timeout, userOf } from './accounts.js';
import { isCertificate, whyUnverified } from './authority.js';

function holdsName(list: unknown, secret: JsonObject | undefined): boolean {
  const name = at(secret, 'metadata', 'name');
  return Array.isArray(list) && name !== undefined && list.some((entry) => at(entry, 'name') === name);
}

/** Throws Failure unless the token is a signed JSON Web Token, by the key of the fixtures if it is given. */
function signedToken(token: string, publicKey: string | undefined): void {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || signature === '') fail('the token is not a JSON Web Token of three parts');
  const algorithm = at(parsed(header), 'alg');
  if (!/^((RS|ES|PS|HS)\d+|EdDSA)$/.test(String(algorithm))) fail(`the token is signed with ${brief(algorithm)}`);
  if (at(parsed(payload), 'sub') === undefined) fail('the payload of the token names nobody');
  if (publicKey === undefined || !/^(RS|ES)256$/.test(String(algorithm))) return;
  const signed = Buffer.from(`${header}.${payload}`);
  const key = { key: createPublicKey(publicKey), dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url')))
    fail('the signature of the token is not by the key that the server was given');
}

function parsed(part: string): unknown {
  try {
    return readJson(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return fail('a part of the token is not base64 of JSON');
  }
}

const held = (secret: JsonObject, key: string): string => nonEmptyString(decodedData(secret, key), `data['${key}']`);

export const secretGroups = [
  group({
    subjects: 'manualAccounts',
    setup: async (_, { sandbox }) => {
      const namespace = await sandbox.namespace('accounts');
      const { reply, name } = await attempt(sandbox, accounts, namespace);
      return { reply, name, namespace, found: await sandbox.current({ resource: accounts, name, namespace }) };
    },
    checks: {
      manual: ({ reply, name, namespace, found }) => {
        success(reply);
        holds(found, { kind: 'ServiceAccount', metadata: { name, namespace } }, 'the account, then read');
      },
    },
  }),
  group({
    subjects: 'accountSecrets',
    setup: async (_, context) => {
      const { sandbox, run } = context;
      const account = await makeAccount(context, await sandbox.namespace('accounts'));
      const { namespace, name, secret } = account;
      const look = async () => at(await sandbox.current({ resource: accounts, name, namespace }), 'secrets');
      const isListed = (list: unknown) => holdsName(list, secret);
      const listed =
        secret === undefined ? await look() : await whenControlledBy(sandbox, 'token-controller', look, isListed);
      const authority = decodedData(secret, 'ca.crt');
      const unverified = await whyUnverified(run.target, authority, sandbox.timeout);
      return {
        account,
        listed,
        type: `${run.target.domains.secretType}/service-account-token`,
        unverified,
        unjudged: isCertificate(authority) && typeof unverified === 'string' ? await behindGateway(context) : undefined,
        publicKey: run.authentication?.fixtures.serviceAccountPublicKey,
      };
    },
    checks: {
      secret: ({ account }) => {
        held(secretOf(account), 'ca.crt');
        held(secretOf(account), 'token');
      },
      'secret-listed': ({ account, listed }) => {
        const secret = secretOf(account);
        if (!holdsName(listed, secret)) fail(`secrets of the account: ${brief(listed)} does not name its Secret`);
      },
      'secret-type': ({ account, type }) => equal(secretOf(account).type, type, 'type of the Secret'),
      'secret-ca': ({ account, unverified, unjudged }) => {
        held(secretOf(account), 'ca.crt');
        const why = unjudged ?? unverified;
        if (why instanceof Unchecked) throw why;
        if (why !== undefined) fail(`the certificate of the server does not verify with ca.crt: ${why}`);
      },
      'secret-token': ({ account, publicKey }) => signedToken(held(secretOf(account), 'token'), publicKey),
      'secret-namespace': ({ account }) =>
        equal(held(secretOf(account), 'namespace'), account.namespace, "data['namespace']"),
    },
  }),
  group({
    subjects: 'handmadeSecrets',
    setup: async (_, context) => {
      const { sandbox, client, run } = context;
      const type = `${run.target.domains.secretType}/service-account-token`;
      const account = await makeAccount(context, await sandbox.namespace('accounts'));
      const { namespace } = account;
      const ofAccount = { type, data: {}, metadata: { annotations: { [ownerAnnotation(sandbox)]: account.name } } };
      const made = await attempt(sandbox, secrets, namespace, ofAccount);
      const look = async () => decodedData(await sandbox.current(made), 'token');
      const token = await whenControlledBy(sandbox, 'token-controller', look, (found) => found !== undefined);
      client.redactor.add(token);
      const good = token === undefined ? undefined : { credential: { token }, user: userOf(account) };
      // Servers that read Secrets from a cache accept the token a moment after the Secret shows it.
      const isAccepted = (sent: SentCredential) => wasAccepted(sent.reply);
      return {
        made: made.reply,
        seen: good && (await eventually(() => sendCredential(good, context), isAccepted, run.timeout ?? timeout)),
        ofNobody: (await attempt(sandbox, secrets, namespace, { type, data: {} })).reply,
      };
    },
    checks: {
      'secret-by-hand': ({ made, seen }) => {
        success(made);
        if (seen === undefined) fail('the Secret got no token');
        else hasName(seen);
      },
      'secret-unknown-account': ({ ofNobody }) => {
        status(ofNobody, 422);
        statusObject(ofNobody, 'Invalid');
      },
    },
  }),
];
