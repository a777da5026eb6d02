// Authorization headers that no client library would send: unusual spelling, empty, broken, too large, repeated.
import type { Mechanism } from '../../matrix/api/index.js';
import { fail } from '../client/expect.js';
import { type RawAnswer, rawRequest } from '../client/rawRequest.js';
import type { Reply } from '../client/reply.js';
import type { Credential, Subject } from '../requirements/index.js';
import { unidentified, unidentifiedRaw } from '../run/acceptance.js';
import { anyRequest } from '../run/anonymousAccess.js';
import { validCredential } from '../run/credentialChecks.js';
import type { Context } from '../run/worker.js';

const wrongToken = 'a-token-that-nobody-has';
/** The number of characters of a credential that no server has to accept. */
const megabyte = 1_000_000;

const basic = (user: string | Buffer): string => Buffer.from(user).toString('base64');

/** Returns the value that follows the scheme. */
const shownAs = ({ token, username, password }: Credential): string => token ?? basic(`${username}:${password}`);

/** Returns a token of the target, of any mechanism; a wrong token if the target has none. */
async function someToken(context: Context): Promise<string> {
  const given = Object.values(context.run.target.credentials).find(({ token }) => token !== undefined);
  return given?.token ?? wrongToken;
}

async function withHeader(context: Context, authorization: string): Promise<Reply> {
  const reply = await context.client.send({ ...anyRequest, as: 'none', headers: { authorization } });
  return await unidentified(context, reply);
}

const raw = async (context: Context, ...lines: readonly string[]): Promise<RawAnswer> =>
  await unidentifiedRaw(context, await rawRequest(context.client, { ...anyRequest, lines }));

/** Sends a valid credential with the subject's spelling of the scheme. */
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

/** Sends a header of a scheme that no mechanism uses, with a valid token if the scheme can hold one. */
export async function sendScheme({ variant = '' }: Subject, context: Context): Promise<Reply> {
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

/** Sends a header without a value. */
export async function sendEmptyCredential({ variant = '' }: Subject, context: Context): Promise<RawAnswer> {
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

/** Sends a valid token with a control character in the middle. */
export async function breakToken({ variant = '' }: Subject, context: Context): Promise<RawAnswer> {
  const token = await someToken(context);
  const half = Math.floor(token.length / 2);
  const broken = token.slice(0, half) + (controls[variant] ?? fail(variant)) + token.slice(half);
  // the redactor knows only the whole token, so the halves are added
  for (const part of [token.slice(0, half), token.slice(half)]) context.client.redactor.add(part);
  return await raw(context, `Authorization: Bearer ${broken}`);
}

/** Sends a credential of a megabyte, then another request. */
export async function sendLargeCredential({ variant }: Subject, context: Context) {
  const { client } = context;
  const value =
    variant === 'a token' ? `Bearer ${'x'.repeat(megabyte)}` : `Basic ${basic(`nobody:${'x'.repeat(megabyte)}`)}`;
  const answer = await raw(context, `Authorization: ${value}`);
  return { answer, next: await client.send(anyRequest) };
}

/** Sends two headers, one of them with a good credential. */
export async function sendAuthorizationTwice({ mechanism, variant }: Subject, context: Context): Promise<RawAnswer> {
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

/** Sends a malformed Basic header that contains a valid password. */
export async function breakPassword({ variant = '' }: Subject, context: Context): Promise<Reply> {
  const { username = '', password = '' } = await validCredential(context, 'staticPassword' satisfies Mechanism);
  return await withHeader(context, `Basic ${(malformed[variant] ?? fail(variant))(username, password)}`);
}
