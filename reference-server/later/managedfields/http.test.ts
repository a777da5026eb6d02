import { describe, expect, it } from 'vitest';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';
import { exchanges } from '../testing/applyExchanges.js';
import { differences, mediaTypeOf, type Send } from '../testing/applyTable.js';

describe('server-side apply over HTTP', () => {
  it.each(Object.entries(exchanges))('%s', async (_what, list) => {
    await using server = await startFullServer({ without: ['service-account-admission'] });
    const send: Send = async ({ method, type, agent, body }, path) => {
      const headers = { 'content-type': type === undefined ? 'application/json' : mediaTypeOf[type] };
      const { status, text } = await ask(server, path, {
        method,
        headers: { ...headers, ...(agent !== undefined && { 'user-agent': agent }) },
        ...(body !== undefined && { body: type === 'yaml' ? String(body) : JSON.stringify(body) }),
      });
      return { code: status, body: JSON.parse(text) };
    };
    expect(await differences(list, send)).toEqual([]);
  });
});
