// A server that is killed while it writes: everything that it acknowledged is there afterwards, and nothing is half.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Child } from '../testing/child.js';

const kills = 20;
const writers = 4;
const collection = '/api/v1/namespaces/default/configmaps';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crash-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Listed {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
    readonly data: unknown;
  }[];
}

/** Writes until the server is gone; notes what was acknowledged, and what may or may not have happened. */
async function write(child: Child, prefix: string, there: Map<string, string>, unsure: Set<string>): Promise<void> {
  for (let count = 0; ; count += 1) {
    const name = `${prefix}-${count}`;
    unsure.add(name);
    try {
      const { body } = await child.send('POST', collection, { metadata: { name }, data: { one: name, two: name } });
      there.set(name, body.metadata.resourceVersion);
      if (count % 3 === 2) {
        await child.send('DELETE', `${collection}/${name}`);
        there.delete(name);
      }
      unsure.delete(name);
    } catch {
      return;
    }
  }
}

/** Compares the server with what was acknowledged. What was on its way counts from now on as it is found. */
function reconcile({ items }: Listed, there: Map<string, string>, unsure: Set<string>): void {
  const found = new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  for (const name of unsure) {
    const version = found.get(name);
    if (version === undefined) there.delete(name);
    else there.set(name, version);
  }
  unsure.clear();
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(there));
  for (const { metadata, data } of items) expect(data).toEqual({ one: metadata.name, two: metadata.name });
}

test(`loses no acknowledged write in ${kills} crashes`, { timeout: 900_000 }, async () => {
  const there = new Map<string, string>();
  const unsure = new Set<string>();
  let revision = 0;
  for (let round = 0; round <= kills; round += 1) {
    const child = await Child.start(join(folder, 'data'));
    const list = (await child.send('GET', collection)).body as Listed;
    reconcile(list, there, unsure);
    expect(Number(list.metadata.resourceVersion)).toBeGreaterThanOrEqual(revision);
    const work =
      round === kills
        ? []
        : Array.from({ length: writers }, (_, one) => write(child, `r${round}-w${one}`, there, unsure));
    await new Promise((wake) => setTimeout(wake, 20 + ((round * 37) % 150)));
    await Promise.all([child.end('SIGKILL'), ...work]);
    revision = Math.max(revision, ...[...there.values()].map(Number));
  }
  expect(there.size).toBeGreaterThan(kills);
});
