// A namespace of the soak: one writer at a time, so that the order of its events is known.
import type { Client } from '../client.js';

/** A change as a watch should send it: `MODIFIED object-00007 4711`, and a deletion without its resourceVersion. */
export type Change = string;

/** Returns the note of a change. The resourceVersion of a deletion is known only from the watch. */
export function changeOf(type: string, name: string, resourceVersion: string): Change {
  return type === 'DELETED' ? `${type} ${name}` : `${type} ${name} ${resourceVersion}`;
}

/** ConfigMaps in one namespace, and all changes since the soak began. */
export class SoakNamespace {
  readonly collection: string;
  /** Index 0 is the first change after `firstRevision`. */
  readonly changes: Change[] = [];
  /** The resourceVersion before the first change. */
  firstRevision = '';
  #writes = 0;

  constructor(
    readonly client: Client,
    readonly name: string,
    readonly objects: number,
  ) {
    this.collection = `/api/v1/namespaces/${name}/configmaps`;
  }

  /** Makes the namespace and its objects. */
  async fill(): Promise<void> {
    await this.client.send('POST', '/api/v1/namespaces', { metadata: { name: this.name } });
    for (let index = 0; index < this.objects; index += 1) await this.client.send('POST', this.collection, body(index));
  }

  /** Begins to write changes down. */
  async begin(): Promise<void> {
    const { metadata } = await this.client.read('GET', `${this.collection}?limit=1`);
    this.firstRevision = metadata.resourceVersion;
  }

  pathOf(index: number): string {
    return `${this.collection}/${nameOf(index % this.objects)}`;
  }

  /** Writes once: seven changes of an object, then a deletion and the creation of the same. */
  async write(): Promise<void> {
    const count = this.#writes++;
    const index = Math.floor(count / 9) % this.objects;
    const name = nameOf(index);
    if (count % 9 === 7) {
      await this.client.send('DELETE', this.pathOf(index));
      this.changes.push(changeOf('DELETED', name, ''));
    } else if (count % 9 === 8) {
      const { metadata } = await this.client.read('POST', this.collection, body(index));
      this.changes.push(changeOf('ADDED', name, metadata.resourceVersion));
    } else {
      const annotations = { write: String(count) };
      const { metadata } = await this.client.read('PATCH', this.pathOf(index), { metadata: { annotations } });
      this.changes.push(changeOf('MODIFIED', name, metadata.resourceVersion));
    }
  }
}

const nameOf = (index: number): string => `object-${String(index).padStart(6, '0')}`;

function body(index: number): object {
  return { metadata: { name: nameOf(index), labels: { app: 'soak' } }, data: { text: `${index} `.repeat(40) } };
}
