// What each kind refuses at present, and in which words, as kube-apiserver 1.36 does. `AGAINST` names a real one.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import { ask } from '../../../testing/standIn.js';
import { changed } from '../../testing/changed.js';
import { realServerOr } from '../../testing/customResources.js';
import { presentRefusals } from '../../testing/presentRefusals.js';

let server: RunningServer;
beforeAll(async () => {
  server = await realServerOr({});
});
afterAll(() => server.close());

const headers = { 'content-type': 'application/json' };
const paths = Object.entries(presentRefusals).map(([path, { smallest, refused }]) => ({ path, smallest, refused }));

it.each(paths)('$path', async ({ path, smallest, refused }) => {
  for (const [change, ...causes] of refused) {
    const { metadata, ...rest } = smallest;
    const body = changed({ ...rest, metadata: { name: 'refused', ...metadata } }, change);
    const { text } = await ask(server, `${path}?dryRun=All`, { method: 'POST', headers, body: JSON.stringify(body) });
    const named: { field: string; message: string }[] = JSON.parse(text).details?.causes ?? [];
    // A row may have the beginning of a text.
    const texts = named.map(({ field, message }) => `${field}: ${message}`).sort();
    const seen = texts.map((each) => causes.find((beginning) => each.startsWith(beginning)) ?? each);
    expect({ change, seen }).toEqual({ change, seen: [...causes].sort() });
  }
});
