import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { basicCredentials } from './authorization.js';

const request = (authorization?: string) => ({ headers: { authorization } }) as IncomingMessage;
const encoded = (text: string) => Buffer.from(text).toString('base64');

describe('basic credentials', () => {
  it.each([
    [`Basic ${encoded('jane:pw')}`, 'jane', 'pw'],
    [`basic ${encoded('jane:pw')}`, 'jane', 'pw'],
    [`BASIC ${encoded('jane:pw')}`, 'jane', 'pw'],
    [`Basic ${encoded('jane:a:b:')}`, 'jane', 'a:b:'],
    [`Basic ${encoded('jané:пароль')}`, 'jané', 'пароль'],
    [`Basic ${encoded(':')}`, '', ''],
    [`Basic ${encoded('jane:')}`, 'jane', ''],
  ])('of "%s" are "%s" and "%s"', (header, username, password) =>
    expect(basicCredentials(request(header))).toEqual({ username, password }),
  );

  it.each([undefined, '', 'Basic', 'Bearer abc', `Basicx ${encoded('a:b')}`])('are absent in %j', (header) =>
    expect(basicCredentials(request(header))).toBeUndefined(),
  );

  it.each([
    ['Basic !!!!', 'not base64'],
    ['Basic YTpi=', 'not base64'],
    ['Basic YTp', 'not base64'],
    [`Basic ${encoded('a:b')} x`, 'not base64'],
    ['Basic ', 'no colon'],
    [`Basic ${encoded('jane')}`, 'no colon'],
  ])('of "%s" are refused', (header, reason) => expect(() => basicCredentials(request(header))).toThrow(reason));
});
