// What a bare client of etcd costs that only sends the transaction of a create: below that, no server on etcd can be.
import { EtcdClient } from '../../reference-server/storages/etcd/client.js';
import { readEndpoints } from '../../reference-server/storages/etcd/endpoints.js';
import { Keys } from '../../reference-server/storages/etcd/keys.js';
import { lastWrittenAt, methods } from '../../reference-server/storages/etcd/messages.js';
import { newPrefix, removePrefix } from './etcdPrefix.js';
import { median } from './figures.js';
import { objectBytes, objects, repeat } from './load.js';

/** How often as many transactions are sent as the load creates objects. The first times are not measured. */
const [passes, warmUps] = [6, 3];

/** Returns the CPU time of this process for one transaction, in microseconds. Removes what it writes. */
export async function bareTransactionMicroseconds(etcdServers: string): Promise<number> {
  const etcdPrefix = newPrefix();
  const endpoints = await readEndpoints({ etcdServers, etcdPrefix });
  const client = new EtcdClient(endpoints);
  const keys = new Keys(endpoints.prefix);
  const value = Buffer.alloc(objectBytes, 'x');
  let sent = 0;
  const send = () => {
    const key = keys.of(`object-${sent++}`);
    return client.call(methods.txn, {
      compare: [lastWrittenAt(0, key), lastWrittenAt(0, keys.of('namespace'))],
      success: [{ request_put: { key: keys.head, value: Buffer.alloc(0) } }, { request_put: { key, value } }],
      failure: [{ request_range: { ...keys.heads, keys_only: true } }],
    });
  };
  try {
    const figures: number[] = [];
    for (let pass = 0; pass < warmUps + passes; pass++) {
      const before = process.cpuUsage();
      await repeat(objects, send);
      const { user, system } = process.cpuUsage(before);
      if (pass >= warmUps) figures.push((user + system) / objects);
    }
    return median(figures);
  } finally {
    client.close();
    await removePrefix(etcdServers, etcdPrefix);
  }
}
