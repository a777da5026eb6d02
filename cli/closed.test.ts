// What a program sees of a server that it has closed: each function says so at once.
import { expect, it } from 'vitest';
import { createApp, OptionError, type StartedServer, startServer } from './index.js';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };

const calls: readonly (readonly [what: string, call: (server: StartedServer) => unknown])[] = [
  ['fail', (server) => server.fail({ status: 500 })],
  ['delay', (server) => server.delay({ milliseconds: 1 })],
  ['cutWatches', (server) => server.cutWatches()],
  ['compact', (server) => server.compact()],
  ['load', (server) => server.load(object)],
  ['snapshot', (server) => server.snapshot()],
  ['restore', (server) => server.restore({ size: 1 })],
  ['reset', (server) => server.reset()],
  ['settled', (server) => server.settled()],
  ['get', (server) => server.get('configmaps', 'm')],
  ['objects', (server) => server.objects('configmaps')],
  ['clock.advance', (server) => server.clock.advance(1)],
  ['clock.set', (server) => server.clock.set('2030-01-01T00:00:00Z')],
  ['clock.reset', (server) => server.clock.reset()],
  ['requests.list', (server) => server.requests.list()],
  ['requests.clear', (server) => server.requests.clear()],
  ['requests.waitFor', (server) => server.requests.waitFor({ verb: 'list' })],
];

const closed = async (options: object): Promise<StartedServer> => {
  const server = await startServer(options);
  await server.close();
  return server;
};

it.each([{}, { requests: false }])('each function refuses after the close, with %j', async (options) => {
  const server = await closed(options);
  const members = [server, server.clock, server.requests].flatMap((each) => Object.values(each));
  // all functions but close, the same as asyncDispose, and now
  expect(members.filter((member) => typeof member === 'function').length).toBe(calls.length + 2);
  for (const [what, call] of calls) {
    const refused = await (async () => call(server))().catch((error: unknown) => error);
    expect(refused).toEqual(new OptionError(`${what}: this server is closed`));
  }
});

it('refuses from the moment of the close, and ends waits', async () => {
  const server = await startServer();
  const waiting = expect(server.requests.waitFor({ verb: 'delete' })).rejects.toThrow('the server was closed before');
  const closing = server.close();
  expect(() => server.fail({ status: 500 })).toThrow('fail: this server is closed');
  await Promise.all([closing, waiting]);
});

it('is closed again without an error, and its failures end', async () => {
  const server = await startServer();
  const rule = server.fail({ status: 500 });
  await Promise.all([server.close(), server.close()]);
  await server.close();
  await server[Symbol.asyncDispose]();
  rule.remove();
  expect(rule.calls).toBe(0);
  expect(server.clock.now()).toBeInstanceOf(Date);
  const api = await createApp();
  await api.close();
  await api.close();
});
