// A controller: it copies each ConfigMap of the namespace `default` into the namespace that its annotation names.
import { setTimeout as wait } from 'node:timers/promises';

const annotation = 'example.com/copy-to';

/** Runs until the signal aborts. */
export async function copy(client, signal) {
  const reconcile = async (source) => {
    while (!signal.aborted) {
      try {
        await copyOne(client, source);
        return;
      } catch {
        // Whatever it was, the next attempt begins with what is there: a write may have succeeded without its response.
        await wait(20);
      }
    }
  };
  await client.follow('/api/v1/namespaces/default/configmaps', reconcile, signal);
}

async function copyOne(client, { metadata: { name, annotations }, data }) {
  const namespace = annotations?.[annotation];
  if (namespace === undefined) return;
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  const there = await client.send('GET', `${collection}/${name}`).catch((error) => {
    if (error.code !== 404) throw error;
  });
  if (there === undefined) await client.send('POST', collection, { metadata: { name }, data });
  else if (JSON.stringify(there.data) !== JSON.stringify(data))
    await client.send('PUT', `${collection}/${name}`, { ...there, data });
}
