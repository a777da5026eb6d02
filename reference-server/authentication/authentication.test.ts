import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completeOptions } from '../options.js';
import { OptionError } from '../optionValues.js';
import type { User } from './authenticator.js';
import { bearerToken } from './authorization.js';
import { createAuthenticators } from './index.js';
import { parseTokens, staticToken } from './staticToken.js';
import { union } from './union.js';

const request = (authorization?: string, socket = {}) =>
  ({ headers: { authorization }, socket }) as unknown as IncomingMessage;
const jane: User = { name: 'jane', groups: ['dev'] };

describe('a bearer token', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer abc def', 'abc'],
    ['Bearer  abc', undefined],
    ['Bearer ', undefined],
    ['Bearer', undefined],
    ['Bearerabc', undefined],
    ['Basic abc', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of "%s" is %s', (header, token) => expect(bearerToken(request(header))).toBe(token));
});

describe('a token file', () => {
  it('names users and their groups', async () => {
    const text =
      '\ufefftok-1,jane,u1,"dev, ops"\r\n\r\ntok-2,"o""hara, j",u2\ntok-3,joe,u3,dev\ntok-4,system:node:a,,"a,,b"\n';
    expect(await parseTokens(text, 'tokens.csv')).toEqual([
      { token: 'tok-1', user: { name: 'jane', uid: 'u1', groups: ['dev', 'ops'] } },
      { token: 'tok-2', user: { name: 'o"hara, j', uid: 'u2', groups: [] } },
      { token: 'tok-3', user: { name: 'joe', uid: 'u3', groups: ['dev'] } },
      { token: 'tok-4', user: { name: 'system:node:a', uid: '', groups: ['a', 'b'] } },
    ]);
  });

  it.each([
    ['secret,jane', 1, '2 columns, where at least 3 are needed: token,user,uid'],
    ['a,b,c\n\nsecret', 3, '1 columns, where at least 3 are needed: token,user,uid'],
    ['a,b,c\n,jane,u1', 2, 'the token is empty'],
    ['a,b,c\nsecret,,u1', 2, 'the user name is empty'],
    ['sec ret,jane,u1', 1, 'the token has white space, which a header cannot carry'],
    ['a,b,c\nsec\x01ret,jane,u1', 2, 'the token has a character that a header cannot carry: write printable ASCII'],
    ['sec\x7fret,jane,u1', 1, 'the token has a character that a header cannot carry: write printable ASCII'],
    ['a,b,c\n\nsecrét,jane,u1', 3, 'the token has a character that a header cannot carry: write printable ASCII'],
    ['密码,jane,u1', 1, 'the token has a character that a header cannot carry: write printable ASCII'],
    [`${'x'.repeat(61_441)},jane,u1`, 1, 'the token has more than 61440 characters, which a header cannot carry'],
    ['a,b,c\rsecret,jane,u1\r', 1, 'it has a lone CR: end lines with LF, or CR and LF'],
    ['a,b,c\nsecret,ja\rne,u1', 2, 'it has a lone CR: end lines with LF, or CR and LF'],
    ['a,b,c\nsecret,jane,u1,dev,ops', 2, '5 columns, where at most 4 are read: put several groups between quotes'],
    ['secret,jane,u1\nsecret,joe,u2', 2, 'the token duplicates an earlier line'],
    ['a,b,c\nsecret,jane,u1,"dev', 2, 'a quote is opened and never closed'],
    ['secret,jane,u1,"dev"x', 1, 'text follows a closing quote'],
    ['secret,ja"ne,u1', 1, 'a quote is in the middle of a column'],
  ])('%j is refused by line', async (text, line, why) => {
    const refusal = new OptionError(`tokens.csv, line ${line}: ${why}`);
    await expect(parseTokens(text, 'tokens.csv')).rejects.toThrow(refusal);
  });

  it('that does not exist is refused by name', async () => {
    const file = join(tmpdir(), 'no-such-tokens.csv');
    await expect(completeOptions({ tokenAuthFile: file })).rejects.toThrow(
      /^--token-auth-file: cannot read .*: there is none/,
    );
  });

  it('is read once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tokens-'));
    const file = join(folder, 'tokens.csv');
    await writeFile(file, 'one,jane,u1\n');
    const authenticate = union(
      await createAuthenticators(await completeOptions({ tokenAuthFile: file }), {
        stopping: new AbortController().signal,
      }),
    );
    await writeFile(file, 'two,joe,u2\n');
    expect(authenticate(request('Bearer one'))).toMatchObject({ name: 'jane' });
    expect(() => authenticate(request('Bearer two'))).toThrow('Unauthorized');
    await rm(folder, { recursive: true });
  });
});

describe('static tokens', () => {
  const authenticate = staticToken([{ token: 'tok', user: jane }]);
  it.each([
    ['Bearer tok', jane],
    ['Bearer to', undefined],
    ['Bearer tok2', undefined],
    ['Bearer __proto__', undefined],
    [undefined, undefined],
  ])('%s', (header, user) => expect(authenticate(request(header))).toBe(user));

  it('know each request of a connection by its own header', () => {
    const socket = {};
    const headers = ['Bearer tok', 'Bearer tok', 'Bearer to', undefined, 'bearer tok', 'Bearer tok2'];
    const users = headers.map((header) => authenticate(request(header, socket)));
    expect(users).toEqual([jane, jane, undefined, undefined, jane, undefined]);
  });
});

describe('the union', () => {
  const mine = () => jane;
  const mineLater = async () => jane;
  const notMine = () => undefined;
  const notMineLater = async () => undefined;
  const bad = () => {
    throw new Error('signature of token abc is bad');
  };
  const badLater = async () => bad();
  const never = () => {
    throw new Error('asked after a success');
  };
  const of = (
    mechanisms: Parameters<typeof staticToken>[0] | (() => User | undefined | Promise<User | undefined>)[],
  ) => {
    const logged: string[] = [];
    const named = (mechanisms as (() => User)[]).map((authenticate, index) => ({ name: `m${index}`, authenticate }));
    const authenticate = union(named, (name, reason) => logged.push(`${name}: ${reason}`));
    return { logged, ask: async () => authenticate(request('Bearer abc')) };
  };

  it.each([
    ['the first', [mine, never], []],
    ['a later one', [notMine, notMineLater, mine, never], []],
    [
      'one behind a refusal',
      [bad, badLater, mineLater],
      ['m0: signature of token abc is bad', 'm1: signature of token abc is bad'],
    ],
  ])('ends with the success of %s', async (_, mechanisms, rejections) => {
    const { logged, ask } = of(mechanisms);
    expect(await ask()).toEqual({ name: 'jane', groups: ['dev', 'system:authenticated'] });
    expect(logged).toEqual(rejections);
  });

  it.each([
    ['nobody there', []],
    ['nobody who knows', [notMine, notMineLater]],
    ['everybody refusing', [bad, badLater, notMine]],
  ])('is a plain 401 with %s', async (_, mechanisms) => {
    await expect(of(mechanisms).ask()).rejects.toMatchObject({ code: 401, message: 'Unauthorized', headers: {} });
  });

  it('is synchronous if its mechanisms are', () => {
    expect(union([{ name: 'm', authenticate: mine }])(request())).not.toBeInstanceOf(Promise);
  });

  it('adds the group system:authenticated once', () => {
    const user = { name: 'x', groups: ['system:authenticated'] };
    expect(union([{ name: 'm', authenticate: () => user }])(request())).toBe(user);
  });
});
