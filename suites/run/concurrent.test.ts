// Tests that run several subjects at the same time, by subjects whose end the test decides.
import { expect, it } from 'vitest';
import type { Subject } from '../requirements/index.js';
import { Concurrent, type SubjectOutcome, type Work } from './concurrent.js';
import type { Group } from './group.js';

const group = { chapter: 'read' } as Group;
const idle = (): number => 0;
const subject = (id: string, resource = 'core/pods'): Subject => ({ id, resource });
const work = (...subjects: Subject[]): Work => ({ group, subjects });

/** Subjects that run until they are ended, with the index of the context of each. */
function controlled() {
  const begun = new Map<string, number>();
  const ends = new Map<string, () => void>();
  const run = (index: number, { id }: Subject): Promise<SubjectOutcome> => {
    begun.set(id, index);
    return new Promise((resolve) => {
      ends.set(id, () => resolve({ results: [{ id } as SubjectOutcome['results'][number]], exchanges: [], count: 0 }));
    });
  };
  const underWay = (): string[] => [...ends.keys()].sort();
  const end = (id: string): void => {
    ends.get(id)?.();
    ends.delete(id);
  };
  return { run, begun, underWay, end };
}

async function idsOf(outcomes: AsyncIterable<SubjectOutcome>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { results } of outcomes) ids.push(...results.map(({ id }) => id));
  return ids;
}

it('begins as many subjects as allowed while they only wait, and yields their outcomes in order', async () => {
  const { run, begun, underWay, end } = controlled();
  const ids = idsOf(new Concurrent(run, 2, idle).outcomes(work(subject('a'), subject('b'), subject('c'))));
  await expect.poll(underWay).toEqual(['a', 'b']);
  end('b');
  await expect.poll(underWay).toEqual(['a', 'c']);
  expect([...begun]).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 1],
  ]);
  end('c');
  end('a');
  expect(await ids).toEqual(['a', 'b', 'c']);
});

it('begins subjects of later tests meanwhile, and runs none of them twice', async () => {
  const { run, underWay, end } = controlled();
  const [first, second] = [work(subject('a')), work(subject('b'))];
  const concurrent = new Concurrent(run, 8, idle);
  const ids = idsOf(concurrent.outcomes(first, [second]));
  await expect.poll(underWay).toEqual(['a', 'b']);
  end('b');
  end('a');
  expect(await ids).toEqual(['a']);
  expect(await idsOf(concurrent.outcomes(second))).toEqual(['b']);
  expect(underWay()).toEqual([]);
});

it('begins no second subject in a process that is busy', async () => {
  const { run, underWay, end } = controlled();
  let looks = 0;
  const busy = (): number => (looks += 1);
  const ids = idsOf(new Concurrent(run, 8, busy).outcomes(work(subject('a'), subject('b'))));
  await expect.poll(() => looks).toBeGreaterThan(1);
  expect(underWay()).toEqual(['a']);
  end('a');
  await expect.poll(underWay).toEqual(['b']);
  end('b');
  expect(await ids).toEqual(['a', 'b']);
});

it('runs a subject of the server as a whole beside no other', async () => {
  const { run, underWay, end } = controlled();
  const ids = idsOf(new Concurrent(run, 8, idle).outcomes(work(subject('a'), subject('b', 'server'), subject('c'))));
  for (const id of ['a', 'b', 'c']) {
    await expect.poll(underWay).toEqual([id]);
    end(id);
  }
  expect(await ids).toEqual(['a', 'b', 'c']);
});

it('runs subjects of the server together whose users are their own', async () => {
  const { run, underWay, end } = controlled();
  const users = { chapter: 'authentication' } as Group;
  const ofUsers = { group: users, subjects: [subject('a', 'server'), subject('b', 'server')] };
  const ids = idsOf(new Concurrent(run, 8, idle).outcomes(ofUsers));
  await expect.poll(underWay).toEqual(['a', 'b']);
  end('a');
  end('b');
  expect(await ids).toEqual(['a', 'b']);
});

it('throws the error of a subject in the test of the subject', async () => {
  const run = (_: number, { id }: Subject): Promise<SubjectOutcome> =>
    id === 'b'
      ? Promise.reject(new Error('a fault of the suite'))
      : Promise.resolve({ results: [], exchanges: [], count: 0 });
  const [first, second] = [work(subject('a')), work(subject('b'))];
  const concurrent = new Concurrent(run, 8, idle);
  expect(await idsOf(concurrent.outcomes(first, [second]))).toEqual([]);
  await expect(idsOf(concurrent.outcomes(second))).rejects.toThrow('a fault of the suite');
});
