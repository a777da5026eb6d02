// The prefixes of a bench in somebody's etcd: one for each server, removed when it ends.
import { randomUUID } from 'node:crypto';
import { EtcdClient } from '../../reference-server/storages/etcd/client.js';
import { readEndpoints } from '../../reference-server/storages/etcd/endpoints.js';
import { methods } from '../../reference-server/storages/etcd/messages.js';

export const newPrefix = (): string => `/bench/${randomUUID()}`;

/** Removes all keys below a prefix from an etcd. */
export async function removePrefix(etcdServers: string, etcdPrefix: string): Promise<void> {
  const endpoints = await readEndpoints({ etcdServers, etcdPrefix });
  const client = new EtcdClient(endpoints);
  // In ASCII, 0 follows the slash.
  const below = { key: Buffer.from(`${endpoints.prefix}/`), range_end: Buffer.from(`${endpoints.prefix}0`) };
  try {
    await client.call(methods.txn, { compare: [], success: [{ request_delete_range: below }] });
  } finally {
    client.close();
  }
}
