// The judge: silent on histories of a correct register, and finds each contradiction that is written into one.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../client/json.js';
import { randomOf } from '../objects/random.js';
import { judged } from './judge.js';
import type { Side } from './plan.js';
import {
  type Change,
  type Entry,
  type History,
  historyLabel,
  sideIn,
  sideLabel,
  stepAnnotation,
  versionOf,
} from './record.js';
import { Timeline } from './timeline.js';
import { suffix } from './watches.js';

const path = '/api/v1/namespaces/here/configmaps';

/** A correct server in this process: a register for each name, and the log of the changes. */
class Register {
  readonly entries: Entry[] = [];
  readonly changes: Change[] = [];
  readonly #objects = new Map<string, JsonObject>();
  #version = 100;
  #time = 0;
  #steps = 0;

  create(name: string, side: Side): void {
    const step = this.#step();
    const sentBody = this.#body(name, side, step);
    const about = { what: 'create', name, method: 'POST', path, sentBody, step } as const;
    if (this.#objects.has(name)) {
      this.#enter({ ...about, status: 409 });
      return;
    }
    this.#enter({ ...about, status: 201, reply: this.#store(name, sentBody, 'ADDED', `uid-${step}`) });
  }

  replace(name: string, side: Side, base: string): void {
    const step = this.#step();
    const sentBody = this.#body(name, side, step, { resourceVersion: base });
    const about = { what: 'replace', name, method: 'PUT', path: `${path}/${name}`, sentBody, step, base } as const;
    const there = this.#objects.get(name);
    if (there === undefined) {
      this.#enter({ ...about, status: 404 });
      return;
    }
    if (versionOf(there) !== base) {
      this.#enter({ ...about, status: 409 });
      return;
    }
    this.#enter({ ...about, status: 200, reply: this.#store(name, sentBody, 'MODIFIED') });
  }

  /** Replaces an object, answers with 500, and takes the write back. */
  undo(name: string, side: Side): void {
    const before = this.#objects.get(name) ?? {};
    const step = this.#step();
    const base = versionOf(before);
    const sentBody = this.#body(name, side, step, { resourceVersion: base });
    this.#store(name, sentBody, 'MODIFIED');
    const { resourceVersion: _, ...metadata } = before.metadata as JsonObject;
    this.#store(name, { ...before, metadata }, 'MODIFIED');
    this.#enter({ what: 'replace', name, method: 'PUT', path: `${path}/${name}`, sentBody, step, base, status: 500 });
  }

  delete(name: string): void {
    const about = { what: 'delete', name, method: 'DELETE', path: `${path}/${name}`, sentBody: {} } as const;
    const there = this.#objects.get(name);
    if (there === undefined) {
      this.#enter({ ...about, status: 404 });
      return;
    }
    this.#objects.delete(name);
    this.#log('DELETED', name, {
      ...there,
      metadata: { ...(there.metadata as JsonObject), resourceVersion: this.#next() },
    });
    this.#enter({ ...about, status: 200, reply: { kind: 'Status' } });
  }

  read(name: string): void {
    const there = this.#objects.get(name);
    const about = { what: 'read', name, method: 'GET', path: `${path}/${name}` } as const;
    this.#enter({ ...about, ...(there === undefined ? { status: 404 } : { status: 200, reply: there }) });
  }

  list(side?: Side): void {
    const items = [...this.#objects.values()].filter((object) => side === undefined || sideIn(object) === side);
    const about = { what: side === undefined ? 'list' : 'select', method: 'GET', path } as const;
    this.#enter({ ...about, status: 200, reply: { items }, ...(side && { side }) });
  }

  pages(): void {
    const pages = [...this.#objects.values()].map((item) => ({ items: [item] }));
    this.#enter({ what: 'pages', method: 'GET', path, status: 200, pages });
  }

  versionOf(name: string): string {
    return versionOf(this.#objects.get(name));
  }

  history(): History {
    this.create('end', 'left');
    const { entries, changes } = this;
    const ordered = { place: 'here', request: 'GET order', version: '100', start: [], changes, isComplete: true };
    const timeline = new Timeline(ordered);
    const watch = (index: number, side?: Side) => ({
      ...{ request: `GET watch ${index}`, place: 'here', status: 200, isCut: false, isOver: false },
      from: index === 0 ? '100' : (changes[index - 1]?.version ?? ''),
      events: suffix(timeline, index, side),
      ...(side && { side }),
    });
    const from = changes.findIndex(({ type }) => type !== 'DELETED') + 1;
    const watches = [watch(0), watch(from), watch(0, 'left')];
    return { seed: 1, entries, orders: [ordered], watches, marker: 'end', isRemovedByOthers: false };
  }

  #step(): string {
    this.#steps += 1;
    return `step-${this.#steps}`;
  }

  #next(): string {
    this.#version += 1;
    return String(this.#version);
  }

  #body(name: string, side: Side, step: string, more: JsonObject = {}): JsonObject {
    const labels = { [historyLabel]: 'h', [sideLabel]: side };
    return { metadata: { ...more, name, labels, annotations: { [stepAnnotation]: step } }, data: { key: 'value' } };
  }

  #store(name: string, body: JsonObject, type: string, uid?: string): JsonObject {
    const before = this.#objects.get(name)?.metadata as JsonObject | undefined;
    const metadata = { ...(body.metadata as JsonObject), uid: uid ?? before?.uid, resourceVersion: this.#next() };
    const object = { ...body, metadata };
    this.#objects.set(name, object);
    this.#log(type, name, object);
    return object;
  }

  #log(type: string, name: string, object: JsonObject): void {
    this.changes.push({ index: this.changes.length + 1, type, name, version: versionOf(object), object });
  }

  #enter(entry: Omit<Entry, 'client' | 'place' | 'sent' | 'answered'>): void {
    this.#time += 2;
    this.entries.push({ ...entry, client: 1, place: 'here', sent: this.#time, answered: this.#time + 1 });
  }
}

function randomHistory(seed: number): History {
  const random = randomOf(seed);
  const register = new Register();
  const old = new Map<string, string>();
  for (let count = 0; count < 40; count += 1) {
    const name = random.of(['a', 'a-b', 'b']);
    const side = random.of(['left', 'right'] as const);
    const act = random.below(8);
    if (act < 2) register.create(name, side);
    else if (act < 4)
      register.replace(name, side, random.chance(0.7) ? register.versionOf(name) : (old.get(name) ?? '1'));
    else if (act === 4) register.delete(name);
    else if (act === 5) register.read(name);
    else if (act === 6) register.list(random.chance(0.5) ? side : undefined);
    else register.pages();
    old.set(name, register.versionOf(name) || '1');
  }
  return register.history();
}

/** The history of a create, two replaces, a read, a list, a delete, and a create of the same name. */
function story(): History {
  const register = new Register();
  register.create('a', 'left');
  register.create('a-b', 'right');
  register.replace('a', 'right', register.versionOf('a'));
  register.read('a');
  register.replace('a', 'left', register.versionOf('a'));
  register.list();
  register.pages();
  register.delete('a');
  register.create('a', 'left');
  return register.history();
}

const changed = (history: History, what: string, edit: (entry: Entry) => Entry): History => ({
  ...history,
  entries: history.entries.map((entry, index, all) =>
    entry.what === what && all.findIndex((one) => one.what === what) === index ? edit(entry) : entry,
  ),
});
const reordered = (history: History, edit: (changes: readonly Change[]) => readonly Change[]): History => ({
  ...history,
  orders: history.orders.map((ordered) => ({
    ...ordered,
    changes: edit(ordered.changes).map((change, index) => ({ ...change, index: index + 1 })),
  })),
});
const statementsOf = (history: History): string[] => [...new Set(judged(history).map(({ statement }) => statement))];
const without = (index: number) => (changes: readonly Change[]) => changes.toSpliced(index, 1);
const edited = (object: JsonObject): JsonObject => ({ ...object, data: { key: 'other' } });
const firstVersion = (history: History): unknown => history.entries[0]?.reply;

describe('the judge', () => {
  it('is silent on histories of a correct server', () => {
    for (let seed = 0; seed < 60; seed += 1) expect(judged(randomHistory(seed)), `seed ${seed}`).toEqual([]);
  });

  it('is silent when the response of a write is lost, whether the write happened or not', () => {
    const lost = ({ status: _, reply: _reply, ...entry }: Entry): Entry => entry;
    expect(statementsOf(changed(story(), 'create', lost))).toEqual([]);
    expect(statementsOf(changed(story(), 'delete', lost))).toEqual([]);
  });

  it('is silent when a write asks for what was there before the first change', () => {
    const first = { metadata: { name: 'x', resourceVersion: '50' }, spec: { replicas: 0 } };
    const scaled = (replicas: number): History => {
      const history = story();
      const about = { what: 'scale', name: 'x', method: 'PATCH', path: `${path}/x/scale`, client: 1 } as const;
      const scale = { ...about, place: 'here', sentBody: { spec: { replicas } }, status: 200, reply: first };
      return {
        ...history,
        entries: [...history.entries, { ...scale, sent: 500, answered: 501 }],
        orders: history.orders.map((ordered) => ({ ...ordered, start: [first] })),
        watches: [],
      };
    };
    expect(statementsOf(scaled(0))).not.toContain('order');
    expect(statementsOf(scaled(1))).toContain('order');
  });

  it('finds a write that was answered with an error, stored, and taken back', () => {
    const register = new Register();
    register.create('a', 'left');
    register.undo('a', 'right');
    register.read('a');
    expect(statementsOf(register.history())).toEqual(['order']);
  });

  it.each<[string, string, (history: History) => History]>([
    ['an acknowledged write without an event', 'order', (history) => reordered(history, without(3))],
    [
      'an event that comes twice',
      'order',
      (history) => reordered(history, (all) => all.toSpliced(2, 0, all[2] as Change)),
    ],
    [
      'two events against real time',
      'order',
      (history) => reordered(history, (all) => [all[1], all[0], ...all.slice(2)] as Change[]),
    ],
    [
      'an object that nobody created',
      'order',
      (history) => reordered(history, (all) => [{ ...(all[0] as Change), name: 'x' }, ...all]),
    ],
    [
      'a removal that nobody asked for',
      'order',
      (history) => ({ ...history, entries: history.entries.filter(({ what }) => what !== 'delete') }),
    ],
    [
      'a replace that keeps the old data',
      'effects',
      (history) =>
        changed(history, 'replace', (entry) => ({ ...entry, sentBody: edited(entry.sentBody as JsonObject) })),
    ],
    [
      'a delete without an effect',
      'effects',
      (history) => changed(history, 'delete', (entry) => ({ ...entry, name: 'a-b' })),
    ],
    [
      'a replace that wins with an old version',
      'conflicts',
      (history) => changed(history, 'replace', (entry) => ({ ...entry, base: '1' })),
    ],
    [
      'a conflict without a write in between',
      'conflicts',
      (history) => ({
        ...history,
        entries: [
          ...history.entries,
          { ...(history.entries[2] as Entry), status: 409, base: '106', sent: 90, answered: 91 },
        ],
      }),
    ],
    [
      'a refused write with an effect',
      'failed-writes',
      (history) => changed(history, 'replace', (entry) => ({ ...entry, status: 422 })),
    ],
    [
      'a read of an old state',
      'reads',
      (history) => changed(history, 'read', (entry) => ({ ...entry, reply: firstVersion(history) })),
    ],
    [
      'a read that finds nothing',
      'reads',
      (history) => changed(history, 'read', (entry) => ({ ...entry, status: 404 })),
    ],
    [
      'a list of two moments',
      'lists',
      (history) =>
        changed(history, 'list', (entry) => ({
          ...entry,
          reply: { items: [firstVersion(history), history.entries[1]?.reply] },
        })),
    ],
    [
      'pages that lack an object',
      'pages',
      (history) => changed(history, 'pages', (entry) => ({ ...entry, pages: entry.pages?.slice(1) ?? [] })),
    ],
    [
      'a watch that lacks an event',
      'watches',
      (history) => ({
        ...history,
        watches: history.watches.map((watch) => ({
          ...watch,
          events: watch.side ? watch.events : watch.events.slice(1),
        })),
      }),
    ],
    [
      'a watch that repeats an event',
      'watches',
      (history) => ({
        ...history,
        watches: history.watches.map((watch) => ({
          ...watch,
          events: watch.side ? watch.events : [watch.events[0] as Change, ...watch.events],
        })),
      }),
    ],
    [
      'a selection that nothing leaves',
      'selected-watches',
      (history) => ({
        ...history,
        watches: history.watches.map((watch) => ({
          ...watch,
          events: watch.side ? watch.events.filter(({ type }) => type !== 'DELETED') : watch.events,
        })),
      }),
    ],
  ])('finds %s', (_, statement, edit) => {
    expect(statementsOf(edit(story()))).toContain(statement);
  });
});
