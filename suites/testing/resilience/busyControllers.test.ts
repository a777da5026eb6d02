// A right server with a controller that writes each object soon after each write of another: no case is blamed for that.
import { expect, inject, it } from 'vitest';
import { Client } from '../../client/client.js';
import { at } from '../../client/json.js';
import { eventsOf, type WatchEvent, watching } from '../../client/streams/watches.js';
import { Context } from '../../run/context.js';
import { bareTarget } from '../bareTarget.js';
import { runChosen, useGoodServer } from './chosenRuns.js';

const good = useGoodServer([
  'create',
  'read',
  'replace',
  'errors',
  'patch',
  'subresources',
  'surface',
  'watch',
  'authentication',
]);

const kinds = ['/api/v1/configmaps', '/api/v1/nodes', '/apis/extensions/v1beta1/ingresses'];
/** The cases of those kinds about versions and about writes that must change nothing; all cases of watches. */
const wanted =
  /^(create\.taken-name|read\.identity|replace\.(stale|name-mismatch|other-uid|absent|race)|errors\.refused-changes-nothing|patch\.(stale|refused-watch|json-patch-test-race)|subresources\.(status|scale)-(stale|name-mismatch)|watch\.\S+) › \w+ \S+\/(configmaps|nodes|ingresses)\b|^(surface\.(other-method|almost-name)|authentication\.refused-without-effect|watch\.slow-reader) /;

const seen = 'busy.example.com/seen';

/**
 * Writes each object of a path as soon as it has seen one of the first two writes of others, and once more a moment
 * later. Returns the number of its writes when `over` is.
 */
async function controlling(client: Client, path: string, over: Promise<unknown>): Promise<number> {
  let writes = 0;
  const write = async ({ name, namespace }: WatchEvent): Promise<void> => {
    const of = namespace === '' ? path : path.replace(/(?=\/\w+$)/, `/namespaces/${namespace}`);
    writes += 1;
    const body = JSON.stringify({ metadata: { annotations: { [seen]: String(writes) } } });
    const headers = { 'content-type': 'application/merge-patch+json', 'user-agent': 'busy-controller' };
    await client.send({ method: 'PATCH', path: `${of}/${name}`, headers, body });
  };
  const writing: Promise<void>[] = [];
  const later = async (event: WatchEvent): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await write(event);
  };
  await watching(client, path, { timeoutSeconds: 'none' }, async (stream) => {
    const last = new Map<unknown, unknown>();
    const acted = new Map<unknown, number>();
    let looked = 0;
    const acts = (): boolean => {
      const events = eventsOf(stream).slice(looked);
      looked += events.length;
      for (const event of events) {
        const [uid, own] = [at(event.object, 'metadata', 'uid'), at(event.object, 'metadata', 'annotations', seen)];
        // Its own writes alone change the annotation.
        const isOwn = own !== last.get(uid);
        last.set(uid, own);
        const times = acted.get(uid) ?? 0;
        if (event.type === 'DELETED' || isOwn || times === 2) continue;
        acted.set(uid, times + 1);
        writing.push(write(event).then(() => later(event)));
      }
      return false;
    };
    // The end of the stream, not of the wait alone: the last look at its events begins the last writes.
    void over.then(() => stream.cut());
    await stream.until(acts, inject('deadline'));
  });
  await Promise.all(writing);
  return writes;
}

it('versions, watches and refused writes pass beside a controller that writes each object', async () => {
  const target = bareTarget(good.url, { ca: good.ca, credentials: { staticToken: { token: good.token } } });
  const controller = new Client(target);
  const context = new Context({ runId: 'cccd00', target, directory: good.folder }, '1');
  let end = (): void => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  const writing = Promise.all(kinds.map((path) => controlling(controller, path, over)));
  const results = await runChosen(good, context, (id) => wanted.test(id));
  end();
  const writes = await writing;
  await Promise.all([context.client.close(), controller.close()]);
  const failed = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked');
  expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(200);
  expect(writes.reduce((sum, each) => sum + each)).toBeGreaterThan(100);
});
