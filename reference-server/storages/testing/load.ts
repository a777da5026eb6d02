// Writers with their namespaces that run until the server is killed, and a check of the acknowledged writes.
import type { AnyShape } from '../../testing/anyShape.js';

export type Send = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: AnyShape }>;

const namespaces = '/api/v1/namespaces';
/** The number of parts in the path of a namespace. */
const depth = 5;
const own = /\/k-[^/]*$/;

/** Records acknowledged writes and uncertain writes, over several lives of a server. */
export class Load {
  /** The resourceVersions of existing objects, by path. */
  readonly there = new Map<string, string>();
  readonly #unsure = new Set<string>();
  /** Namespaces that were or may have been deleted; their contents are deleted too. */
  readonly #going = new Set<string>();
  readonly #versions = new Set<string>();
  #wanted = Number.POSITIVE_INFINITY;
  #wake = () => {};
  #isStopped = false;
  /** The number of acknowledged writes. */
  writes = 0;
  /** The faults found. */
  readonly problems: string[] = [];

  /** Resolves after this many more acknowledged writes. */
  reached(more: number): Promise<void> {
    this.#wanted = this.writes + more;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Writes until the server is gone, or until `stop`. */
  async run(send: Send, prefix: string): Promise<void> {
    this.#isStopped = false;
    const writers = [this.#configMaps(send, prefix), this.#services(send, prefix), this.#namespaces(send, prefix)];
    await Promise.all(writers.map((writer) => writer.catch(() => {})));
  }

  /** The writers end with their present writes. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Compares the restarted server with the acknowledged writes. Uncertain writes are accepted as they are found. */
  async compare(send: Send): Promise<void> {
    const found = new Map<string, string>();
    for (const path of [namespaces, '/api/v1/configmaps', '/api/v1/services']) {
      for (const { metadata } of (await send('GET', path)).body.items) {
        const { namespace, name } = metadata;
        const place =
          namespace === undefined
            ? `${path}/${name}`
            : `${namespaces}/${namespace}${path.replace('/api/v1', '')}/${name}`;
        if (own.test(place)) found.set(place, metadata.resourceVersion);
      }
    }
    for (const path of this.#unsure) {
      const version = found.get(path);
      if (version === undefined) this.there.delete(path);
      else this.there.set(path, version);
    }
    this.#unsure.clear();
    for (const path of [...this.there.keys()]) if (this.#isGoing(path)) this.there.delete(path);
    for (const [path, version] of this.there) {
      if (found.get(path) !== version) this.problems.push(`lost: ${path} of ${version} is ${found.get(path)}`);
    }
    for (const path of found.keys()) {
      if (!this.there.has(path) && !this.#isGoing(path)) this.problems.push(`came back: ${path}`);
    }
  }

  /** The figures of a load without faults. */
  summary(): string {
    return `${this.writes} writes acknowledged, ${this.#going.size} namespaces deleted, ${this.there.size} objects there`;
  }

  async #configMaps(send: Send, prefix: string): Promise<void> {
    const collection = `${namespaces}/default/configmaps`;
    for (let count = 0; !this.#isStopped; count += 1) {
      const name = `k-${prefix}-${count}`;
      await this.#create(send, collection, name, { data: { one: name, two: 'x'.repeat(500) } });
      if (count % 8 !== 0) await this.#delete(send, `${collection}/${name}`);
    }
  }

  async #services(send: Send, prefix: string): Promise<void> {
    const collection = `${namespaces}/default/services`;
    for (let count = 0; !this.#isStopped; count += 1) {
      const name = `k-${prefix}-${count}`;
      await this.#create(send, collection, name, { spec: { type: 'NodePort', ports: [{ port: 1 }] } });
      if (count % 8 !== 0) await this.#delete(send, `${collection}/${name}`);
    }
  }

  /** Keeps every eighth namespace; deletes the others while objects are created in them. */
  async #namespaces(send: Send, prefix: string): Promise<void> {
    for (let count = 0; !this.#isStopped; count += 1) {
      const name = `k-${prefix}-${count}`;
      const path = `${namespaces}/${name}`;
      await this.#create(send, namespaces, name, {});
      const fill = (from: number) =>
        Array.from({ length: 6 }, (_, index) =>
          index % 2 === 0
            ? this.#create(send, `${path}/configmaps`, `k-${from + index}`, {})
            : this.#create(send, `${path}/services`, `k-${from + index}`, { spec: { ports: [{ port: 1 }] } }),
        );
      await Promise.all(fill(0));
      if (count % 8 === 0) continue;
      this.#going.add(path);
      await Promise.all([...fill(6), send('DELETE', path), ...fill(12)]);
    }
  }

  async #create(send: Send, collection: string, name: string, more: object): Promise<void> {
    const path = `${collection}/${name}`;
    this.#unsure.add(path);
    const { status, body } = await send('POST', collection, { metadata: { name }, ...more });
    if (status === 200) {
      this.there.set(path, body.metadata.resourceVersion);
      this.#acknowledge(body.metadata.resourceVersion);
    } else if (!this.#isGoing(path)) {
      this.problems.push(`${status} for ${path}: ${body.message}`);
    }
    this.#unsure.delete(path);
  }

  async #delete(send: Send, path: string): Promise<void> {
    this.#unsure.add(path);
    await send('DELETE', path);
    this.#count();
    this.there.delete(path);
    this.#unsure.delete(path);
  }

  #count(): void {
    this.writes += 1;
    if (this.writes >= this.#wanted) this.#wake();
  }

  #acknowledge(version: string): void {
    this.#count();
    if (this.#versions.has(version)) this.problems.push(`doubled: revision ${version} was given twice`);
    this.#versions.add(version);
  }

  #isGoing(path: string): boolean {
    return this.#going.has(path.split('/').slice(0, depth).join('/'));
  }
}
