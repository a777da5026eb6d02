// Tests the password file and basic credentials: parsing and refusals.
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { OptionError } from '../optionValues.js';
import { basicCredentials } from './authorization.js';
import { parsePasswords, staticPassword } from './staticPassword.js';

const request = (authorization?: string) => ({ headers: { authorization } }) as IncomingMessage;
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');

describe('basic credentials', () => {
  it.each([
    ['Basic', 'jane:secret', 'jane', 'secret'],
    ['basic', 'jane:secret', 'jane', 'secret'],
    ['BASIC', 'jane:a:b:', 'jane', 'a:b:'],
    ['Basic', 'jane:', 'jane', ''],
    ['Basic', ':secret', '', 'secret'],
    ['Basic', 'jäné:пароль 密', 'jäné', 'пароль 密'],
    ['Basic', '\ufeffjane: x ', '\ufeffjane', ' x '],
  ])('%s of "%s"', (scheme, text, username, password) => {
    expect(basicCredentials(request(`${scheme} ${base64(text)}`))).toEqual({ username, password });
  });

  it.each([undefined, '', 'Basic', `Basic${base64('a:b')}`, `Bearer ${base64('a:b')}`])(
    'are absent in "%s"',
    (header) => {
      expect(basicCredentials(request(header))).toBeUndefined();
    },
  );

  it.each([
    ['', 'no colon'],
    [base64('jane'), 'no colon'],
    [` ${base64('a:b')}`, 'not base64'],
    [`${base64('a:b')} x`, 'not base64'],
    [base64('jane:secre').replace(/=+$/, ''), 'not base64'],
    ['amFuZTpzZWNyZXQ_', 'not base64'],
    [base64(Uint8Array.of(0x61, 0x3a, 0xff)), 'not UTF-8'],
  ])('are malformed in "Basic %s"', (credentials, why) => {
    expect(() => basicCredentials(request(`Basic ${credentials}`))).toThrow(why);
  });
});

describe('a password file', () => {
  it('names users and their passwords, unchanged', async () => {
    const text = '\ufeffpa:ss,jane,u1\r\n\r\n" a,""b"" ",joe , u2 ,"dev, ops"\n päss ,münch,u3,dev\n';
    expect(await parsePasswords(text, 'passwords.csv')).toEqual([
      { password: 'pa:ss', user: { name: 'jane', uid: 'u1', groups: [] } },
      { password: ' a,"b" ', user: { name: 'joe', uid: 'u2', groups: ['dev', 'ops'] } },
      { password: ' päss ', user: { name: 'münch', uid: 'u3', groups: ['dev'] } },
    ]);
  });

  it.each([
    ['secret,jane', 1, '2 columns, where at least 3 are needed: password,user,uid'],
    ['a,b,c\n,jane,u1', 2, 'the password is empty'],
    ['a,b,c\nsecret, ,u1', 2, 'the user name is empty'],
    ['secret,jane,u1\rother,joe,u2', 1, 'it has a lone CR: end lines with LF, or CR and LF'],
    ['a,b,c\nsecret,jane,u1,dev,ops', 2, '5 columns, where at most 4 are read: put several groups between quotes'],
    ['secret,ja:ne,u1', 1, 'the user name has a colon, which ends it in basic credentials'],
    ['secret,jane,u1\nother,jane,u2', 2, 'the user duplicates an earlier line'],
    ['a,b,c\n"secret,jane,u1', 2, 'a quote is opened and never closed'],
    ['sec"ret,jane,u1', 1, 'a quote is in the middle of a column'],
  ])('%j is refused by line', async (text, line, why) => {
    const refusal = new OptionError(`passwords.csv, line ${line}: ${why}`);
    await expect(parsePasswords(text, 'passwords.csv')).rejects.toThrow(refusal);
  });
});

describe('static passwords', () => {
  const jane = { name: 'jane', groups: [] };
  const authenticate = staticPassword([{ password: 'pa:ss', user: jane }]);
  it.each([
    ['jane:pa:ss', jane],
    ['jane:pa:s', undefined],
    ['jane:pa:sss', undefined],
    ['jane:pa', undefined],
    ['jane:', undefined],
    ['Jane:pa:ss', undefined],
    ['joe:pa:ss', undefined],
    ['jane:pa:ss\0', undefined],
    ['__proto__:x', undefined],
  ])('%s', (text, user) => expect(authenticate(request(`Basic ${base64(text)}`))).toBe(user));

  it('ignore bearer tokens', () => expect(authenticate(request('Bearer pa:ss'))).toBeUndefined());
});
