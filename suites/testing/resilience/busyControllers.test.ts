// A right server with a controller that writes each object soon after its create: no refused write is blamed for that.
import { expect, it } from 'vitest';
import { Client } from '../../client/client.js';
import { at, itemsOf, type JsonObject } from '../../client/json.js';
import { Context } from '../../run/context.js';
import { bareTarget } from '../bareTarget.js';
import { runChosen, useGoodServer } from './chosenRuns.js';

const good = useGoodServer(['create', 'replace', 'errors', 'patch', 'subresources']);

const kinds = ['/api/v1/configmaps', '/api/v1/nodes', '/apis/extensions/v1beta1/ingresses'];
/** The cases of writes that must change nothing, of those kinds, which name another object or an old state too. */
const wanted =
  /^(create\.taken-name|replace\.(stale|name-mismatch|other-uid|absent)|errors\.refused-changes-nothing|patch\.(stale|refused-watch)|subresources\.(status|scale)-(stale|name-mismatch)) › \w+ \S+\/(configmaps|nodes|ingresses)\b/;

/** Writes each object twice: as soon as it is seen, and some time later. */
async function controlling(client: Client, isOver: () => boolean): Promise<number> {
  const seen = new Map<unknown, number>();
  let writes = 0;
  const write = async (path: string, count: number): Promise<void> => {
    const body = JSON.stringify({ metadata: { annotations: { 'busy.example.com/seen': String(count) } } });
    const headers = { 'content-type': 'application/merge-patch+json', 'user-agent': 'busy-controller' };
    const { status } = await client.send({ method: 'PATCH', path, headers, body });
    if (status === 200) writes += 1;
  };
  const pathOf = (list: string, { metadata }: JsonObject): string => {
    const { namespace, name } = metadata as JsonObject;
    return `${namespace === undefined ? list : list.replace(/(?=\/\w+$)/, `/namespaces/${namespace}`)}/${name}`;
  };
  for (let round = 0; !isOver(); round += 1) {
    for (const list of kinds) {
      const reply = await client.send({ method: 'GET', path: list });
      for (const object of reply.status === 200 ? itemsOf(reply.value()) : []) {
        const uid = at(object, 'metadata', 'uid');
        const first = seen.get(uid) ?? round;
        seen.set(uid, first);
        if (round - first === 0 || round - first === 5) await write(pathOf(list, object), round - first);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return writes;
}

it('every write that must change nothing passes beside a controller that writes its objects', async () => {
  const target = bareTarget(good.url, { ca: good.ca, credentials: { staticToken: { token: good.token } } });
  const controller = new Client(target);
  const context = new Context({ runId: 'cccd00', target, directory: good.folder }, '1');
  let isOver = false;
  const writing = controlling(controller, () => isOver);
  const results = await runChosen(good, context, (id) => wanted.test(id));
  isOver = true;
  const writes = await writing;
  await Promise.all([context.client.close(), controller.close()]);
  const failed = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'blocked');
  expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(10);
  expect(writes).toBeGreaterThan(20);
});
