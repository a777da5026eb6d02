// Authorization headers that no client library would send: spelled oddly, empty, broken, too large, twice.
import type { Mechanism } from '../../matrix/api/index.js';
import type { Credential, Subject } from '../../matrix/requirements/index.js';
import { toldNothing, toldRaw } from '../support/acceptance.js';
import { fail } from '../support/expect.js';
import { type RawAnswer, rawRequest } from '../support/rawRequest.js';
import type { Reply } from '../support/reply.js';
import { validCredential } from '../support/shown.js';
import { anyRequest } from '../support/strangers.js';
import type { Context } from '../support/worker.js';

const wrongToken = 'a-token-that-nobody-has';
/** Characters of a credential that no server needs to take. */
const megabyte = 1_000_000;

const basic = (user: string | Buffer): string => Buffer.from(user).toString('base64');

/** What stands behind the scheme. */
const shownAs = ({ token, username, password }: Credential): string => token ?? basic(`${username}:${password}`);

/** A token of the target's, of whichever mechanism; a wrong one where it has none. */
async function someToken(context: Context): Promise<string> {
  const given = Object.values(context.run.target.credentials).find(({ token }) => token !== undefined);
  return given?.token ?? wrongToken;
}

async function withHeader(context: Context, authorization: string): Promise<Reply> {
  const reply = await context.client.send({ ...anyRequest, as: 'none', headers: { authorization } });
  return await toldNothing(context, reply);
}

const raw = async (context: Context, ...lines: readonly string[]): Promise<RawAnswer> =>
  await toldRaw(context, await rawRequest(context.client, { ...anyRequest, lines }));

/** A valid credential behind a scheme that is spelled as the subject says. */
export async function spellScheme({ mechanism, variant }: Subject, context: Context): Promise<Reply> {
  const credential = await validCredential(context, mechanism ?? fail('a subject without a mechanism'));
  return await withHeader(context, `${variant} ${shownAs(credential)}`);
}

const schemes: Readonly<Record<string, (token: string) => string>> = {
  Digest: () => 'Digest username="nobody", realm="x", nonce="x", uri="/api/v1", response="x"',
  Negotiate: () => 'Negotiate YII=',
  Token: (token) => `Token ${token}`,
  'Bearer-Token': (token) => `Bearer-Token ${token}`,
  'no scheme': (token) => token,
};

/** A header of a scheme that no mechanism has, with a valid token where it can hold one. */
export async function showScheme({ variant = '' }: Subject, context: Context): Promise<Reply> {
  const header = schemes[variant] ?? fail(`no scheme ${variant}`);
  return await withHeader(context, header(await someToken(context)));
}

const empty: Readonly<Record<string, string>> = {
  Bearer: 'Bearer',
  'Bearer and a space': 'Bearer ',
  Basic: 'Basic',
  'Basic and a space': 'Basic ',
  nothing: '',
};

/** A header without a value. */
export async function showNothing({ variant = '' }: Subject, context: Context): Promise<RawAnswer> {
  return await raw(context, `Authorization: ${empty[variant] ?? fail(variant)}`);
}

const controls: Readonly<Record<string, string>> = {
  NUL: '\0',
  SOH: '\x01',
  ESC: '\x1b',
  DEL: '\x7f',
  'a lone CR': '\r',
  'a lone LF': '\n',
  'a folded line': '\r\n ',
};

/** A valid token with a control character in the middle. */
export async function breakToken({ variant = '' }: Subject, context: Context): Promise<RawAnswer> {
  const token = await someToken(context);
  const half = Math.floor(token.length / 2);
  const broken = token.slice(0, half) + (controls[variant] ?? fail(variant)) + token.slice(half);
  // the halves would pass redaction, which knows the whole
  for (const part of [token.slice(0, half), token.slice(half)]) context.client.redactor.add(part);
  return await raw(context, `Authorization: Bearer ${broken}`);
}

/** A credential of a megabyte, and a request after it. */
export async function showLarge({ variant }: Subject, context: Context) {
  const { client } = context;
  const value =
    variant === 'a token' ? `Bearer ${'x'.repeat(megabyte)}` : `Basic ${basic(`nobody:${'x'.repeat(megabyte)}`)}`;
  const answer = await raw(context, `Authorization: ${value}`);
  return { answer, next: await client.send(anyRequest) };
}

/** Two headers, one of them good. */
export async function showTwice({ mechanism, variant }: Subject, context: Context): Promise<RawAnswer> {
  const credential = await validCredential(context, mechanism ?? fail('a subject without a mechanism'));
  const lines = [`Authorization: Bearer ${shownAs(credential)}`, `Authorization: Bearer ${wrongToken}`];
  return await raw(context, ...(variant === 'the good one first' ? lines : lines.reverse()));
}

const malformed: Readonly<Record<string, (username: string, password: string) => string>> = {
  'no base64': (username, password) => `${username}:${password}`,
  'cut base64': (username, password) => basic(`${username}:${password}`).slice(0, -3),
  'no colon': (username) => basic(username),
  'no user name': (_, password) => basic(`:${password}`),
  'no UTF-8': (_, password) => basic(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`:${password}`)])),
};

/** A Basic header that holds a valid password, and is none. */
export async function breakPassword({ variant = '' }: Subject, context: Context): Promise<Reply> {
  const { username = '', password = '' } = await validCredential(context, 'staticPassword' satisfies Mechanism);
  return await withHeader(context, `Basic ${(malformed[variant] ?? fail(variant))(username, password)}`);
}
