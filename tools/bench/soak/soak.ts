// The soak: hours of a busy cluster in minutes. Watchers come and go, writers write, informers list, and gets are timed.
import { setMaxListeners } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Stored } from '../client.js';
import { cpuMicroseconds, median, residentBytes } from '../figures.js';
import { numberOf } from '../options.js';
import { startReference } from '../subject.js';
import { SoakNamespace } from './namespace.js';
import { Probe, type Waits, waitsText } from './probe.js';
import { type Tally, Watcher } from './watcher.js';

export interface SoakFlags {
  readonly minutes: string;
  readonly watchers: string;
  readonly objects: string;
  readonly dataDir?: string;
}

/** The number of namespaces; each has its writer. */
const namespaceCount = 40;
/** Milliseconds between two writes in a namespace. */
const writeInterval = 1_000;
/** Objects of a page, and of an informer's list. */
const page = 500;

interface Minute extends Waits {
  readonly megabytes: number;
}

/**
 * Runs the soak against its own reference server, prints a line for each minute and one at the end, and returns
 * the number of faults: events that were lost, doubled or out of order, and failed requests.
 */
export async function soak({ dataDir, ...flags }: SoakFlags, signal: AbortSignal): Promise<number> {
  const minutes = numberOf('minutes', flags.minutes);
  const watcherCount = numberOf('watchers', flags.watchers);
  const perNamespace = Math.max(1, Math.round(numberOf('objects', flags.objects) / namespaceCount));
  const subject = await startReference(dataDir === undefined ? {} : { dataDir });
  const client = new Client(subject, 64);
  const tally: Tally = { opened: 0, events: 0, cut: 0, wrong: [] };
  const namespaces = Array.from(
    { length: namespaceCount },
    (_, index) => new SoakNamespace(client, `soak-${index}`, perNamespace),
  );
  let probe: Probe | undefined;
  try {
    await Promise.all(namespaces.map((namespace) => namespace.fill()));
    for (const namespace of namespaces) await namespace.begin();
    const filled = residentBytes(subject.pids) / 1e6;
    say(`${perNamespace * namespaceCount} objects in ${namespaceCount} namespaces, ${filled.toFixed(0)} MB resident`);

    const over = new AbortController();
    // Every watcher adds a listener.
    setMaxListeners(0, over.signal);
    const watchers = Array.from({ length: watcherCount }, (_, index) =>
      new Watcher(namespaces[index % namespaceCount] as SoakNamespace, tally).run(over.signal),
    );
    const noting = (work: Promise<void>): Promise<void> =>
      work.catch((error: unknown) => void tally.wrong.push((error as Error).message));
    const writers = namespaces.map((namespace) => noting(writeUntil(namespace, over.signal)));
    const lister = noting(listUntil(client, namespaces, over.signal));
    probe = new Probe(
      { url: subject.url, ca: subject.ca, token: subject.token },
      namespaces.map((namespace) => namespace.pathOf(perNamespace - 1)),
    );
    // This thread plays clients on other machines, so it yields to the server and to the thread of the probe.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const passed: Minute[] = [];
    let cpu = cpuMicroseconds(subject.pids);
    for (let minute = 1; minute <= minutes && !signal.aborted; minute += 1) {
      const events = tally.events;
      await sleep(60_000, undefined, { signal }).catch(() => {});
      const waits = await probe.waits();
      const megabytes = residentBytes(subject.pids) / 1e6;
      const busy = cpuMicroseconds(subject.pids) - cpu;
      cpu += busy;
      passed.push({ ...waits, megabytes });
      say(
        `minute ${minute}: ${megabytes.toFixed(0)} MB, ${(busy / 600_000).toFixed(0)} % of a core; ` +
          `${tally.events - events} events, ${tally.opened} watches so far, ${tally.cut} cut; ${waitsText(waits)}; ` +
          `${tally.wrong.length} wrong`,
      );
    }
    await probe.close();
    over.abort();
    await Promise.all([...writers, lister]);
    await Promise.all(watchers);
    report(passed, namespaces, tally);
    return tally.wrong.length;
  } finally {
    await probe?.close();
    await client.close();
    await subject.stop();
  }
}

async function writeUntil(namespace: SoakNamespace, signal: AbortSignal): Promise<void> {
  await sleep(Math.random() * writeInterval);
  while (!signal.aborted) {
    const next = Date.now() + writeInterval;
    await namespace.write();
    await sleep(Math.max(0, next - Date.now()), undefined, { signal }).catch(() => {});
  }
}

/** Lists as informers do: all objects in pages, and a whole namespace; one of each every two seconds. */
async function listUntil(client: Client, namespaces: readonly SoakNamespace[], signal: AbortSignal): Promise<void> {
  let next: string | undefined;
  for (let count = 0; !signal.aborted; count += 1) {
    const from = next === undefined ? '' : `&continue=${encodeURIComponent(next)}`;
    const { status, bytes } = await client.request('GET', `/api/v1/configmaps?limit=${page}${from}`);
    // The revision of the pages may be compacted before the last page: then the list begins again.
    if (status !== 200 && status !== 410) throw new Error(`a page of the list was answered ${status}`);
    next = status === 410 ? undefined : (JSON.parse(bytes.toString()) as Stored).metadata.continue || undefined;
    const { collection } = namespaces[count % namespaces.length] as SoakNamespace;
    await client.send('GET', collection);
    await sleep(2_000, undefined, { signal }).catch(() => {});
  }
}

function report(passed: readonly Minute[], namespaces: readonly SoakNamespace[], tally: Tally): void {
  const writes = namespaces.reduce((sum, { changes }) => sum + changes.length, 0);
  const worst = Math.max(...passed.map((minute) => minute.worst));
  const gets = passed.reduce((sum, { count }) => sum + count, 0);
  const third = Math.ceil(passed.length / 3);
  const memoryOf = (minutes: readonly Minute[]): number => median(minutes.map(({ megabytes }) => megabytes));
  // In the first third the heap and the history still grow to their size.
  const [early, late] = [memoryOf(passed.slice(-2 * third).slice(0, third)), memoryOf(passed.slice(-third))];
  for (const line of tally.wrong.slice(0, 20)) say(`wrong: ${line}`);
  say(
    `${passed.length} minutes: ${writes} writes, ${tally.events} events, ${tally.opened} watches, ${tally.wrong.length} wrong; ` +
      `${gets} gets, the worst ${worst.toFixed(0)} ms; ` +
      `memory ${early.toFixed(0)} MB in the second third, ${late.toFixed(0)} MB in the last (ratio ${(late / early).toFixed(2)})`,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
