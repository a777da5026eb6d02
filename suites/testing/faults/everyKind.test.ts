// The faults of the chapters for every kind, applied to a custom resource: each must be found on that kind too.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  casesOfFault,
  casesOfKind,
  resultsOn,
  startServerWithKind,
  stopServerWithKind,
} from '../../../cli/testing/brokenKind.js';
import { failedIn, failedRequirements, generous, timeoutWith } from '../../../cli/testing/brokenServer.js';
import { isSoak } from '../soak.js';
import { faults, faultsOfFound } from './index.js';
import type { Fault } from './wire/fault.js';
import { kindOfRow } from './wire/otherKind.js';

beforeAll(startServerWithKind);
afterAll(stopServerWithKind);

/** Servers of custom resources answer a create with 201, as their OpenAPI declares, and may want the version in a replace. */
const allowed = new Set(['answers creates with 201', 'wants the resourceVersion in a replace']);

/**
 * The longest time of a watch, events in one with a timeout, and large objects are tried on one kind of the interface alone;
 * only Secrets are selected by a type.
 */
const ofOneKind = new Set([
  'counts the time of a watch from its last event',
  'counts the time of a watch in milliseconds of 32 bits',
  'loses events of more than 64 KiB',
  'cuts texts of more than 64 KiB in events',
  'deletes every Secret where a type is selected',
]);

/** What a row does not break here: the items of a list of custom resources have their kind, whatever the list has lost. */
const sparedHere: Readonly<Record<string, readonly string[]>> = {
  'forgets apiVersion and kind': ['create.effect-list'],
};

/** What a history shows depends on the names of its requests: its faults are sure to show on the kinds of their rows alone. */
const isOfHistory = ({ chapters = [] }: Fault): boolean => chapters.includes('histories') && chapters.length === 1;

const rows = faults.filter(
  (fault) =>
    kindOfRow(fault) !== undefined && !allowed.has(fault.name) && !ofOneKind.has(fault.name) && !isOfHistory(fault),
);

/** The setups of which a row has broken a check on the kind. The soak breaks their other checks here too. */
const broken = new Set<unknown>();

describe('a custom resource', () => {
  it('passes every case on a correct server', async () => {
    const ids = new Set(casesOfKind().map(({ id }) => id));
    expect(ids.size).toBeGreaterThan(500);
    expect(
      failedIn(await resultsOn(undefined, ids, 4 * generous)).map(({ id, message }) => `${id}: ${message}`),
    ).toEqual([]);
  });

  it.concurrent.for(rows.map((fault) => [fault.name, fault] as const))(
    'is found broken: %s',
    async ([, fault], { skip }) => {
      // What else a row makes fail depends on the kind.
      const fails = fault.fails.filter((id) => !sparedHere[fault.name]?.includes(id));
      const cases = casesOfFault(fault).filter(({ requirement }) => fails.includes(requirement));
      const expected = [...new Set(cases.map(({ requirement }) => requirement))];
      if (expected.length === 0) skip('the kind has no such case');
      if (!isSoak && cases.every(({ setup }) => broken.has(setup)))
        skip('in the soak: other rows break the same setups');
      for (const { setup } of cases) broken.add(setup);
      const ids = new Set(cases.map(({ id }) => id));
      expect(await failing(fault, ids, { once: true })).toEqual(expect.arrayContaining(expected));
    },
  );

  it.concurrent.each(faultsOfFound.map((fault) => [fault.name, fault] as const))(
    'is found broken by its own OpenAPI: %s',
    async (_, fault) => {
      const ids = new Set(casesOfFault(fault).map(({ id }) => id));
      expect(ids.size).toBeGreaterThan(0);
      // None of these servers is silent: only a busy machine makes a check wait.
      expect(failedRequirements(await resultsOn(fault, ids, 4 * generous))).toEqual([...fault.fails].sort());
    },
  );

  it('has most of the faults', () => {
    const found = rows.filter((fault) => {
      const asked = new Set(casesOfFault(fault).map(({ requirement }) => requirement));
      return fault.fails.some((id) => asked.has(id));
    });
    expect(found.length).toBeGreaterThan(150);
  });
});

/** Returns the requirements that fail, sorted by id. */
const failing = async (fault: Fault, ids: ReadonlySet<string>, options = {}): Promise<string[]> =>
  failedRequirements(await resultsOn(fault, ids, timeoutWith(fault), options));
