// Watchers that never read, while long events arrive: the delay of other gets, and the memory of the server.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../client.js';
import { residentBytes } from '../figures.js';
import { numberOf } from '../options.js';
import { startReference } from '../subject.js';
import { SoakNamespace } from './namespace.js';
import { Probe, waitsText } from './probe.js';

export interface UnreadFlags {
  readonly seconds: string;
  readonly watchers: string;
}

/** The approximate bytes of an event, and the milliseconds between two events. */
const eventBytes = 100_000;
const interval = 100;

/** Starts a reference server, opens the watches, and prints a line every ten seconds and one after all have ended. */
export async function unread(flags: UnreadFlags, signal: AbortSignal): Promise<void> {
  const seconds = numberOf('seconds', flags.seconds);
  const watcherCount = numberOf('watchers', flags.watchers);
  const subject = await startReference();
  const client = new Client(subject, 8);
  const namespace = new SoakNamespace(client, 'unread', 10);
  let probe: Probe | undefined;
  const say = async (what: string): Promise<void> => {
    const megabytes = (residentBytes(subject.pids) / 1e6).toFixed(0);
    process.stdout.write(`${what}: ${megabytes} MB; ${probe === undefined ? '' : waitsText(await probe.waits())}\n`);
  };
  try {
    await namespace.fill();
    await namespace.begin();
    probe = new Probe({ url: subject.url, ca: subject.ca, token: subject.token }, [namespace.pathOf(9)]);
    await sleep(2_000);
    await say('before');
    const path = `${namespace.collection}?watch=true&timeoutSeconds=3600&resourceVersion=${namespace.firstRevision}`;
    const watches = await Promise.all(Array.from({ length: watcherCount }, () => client.watch(path)));
    // The server ends watches that read nothing.
    for (const watch of watches) watch.pause().on('error', () => {});
    await say(`${watcherCount} watches`);
    const began = Date.now();
    let writes = 0;
    for (let until = began + 10_000; until <= began + seconds * 1_000 && !signal.aborted; until += 10_000) {
      for (; Date.now() < until && !signal.aborted; writes += 1) {
        const next = Date.now() + interval;
        const text = `${writes} `.padEnd(eventBytes, 'x');
        await client.read('PATCH', namespace.pathOf(0), { data: { text } });
        await sleep(Math.max(0, next - Date.now()));
      }
      await say(`${((until - began) / 1_000).toFixed(0)} s, ${writes} events`);
    }
    for (const watch of watches) watch.destroy();
    await sleep(5_000);
    await say('5 s after all have gone');
  } finally {
    await probe?.close();
    await client.close();
    await subject.stop();
  }
}
