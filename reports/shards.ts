// The evidence of several shards as the evidence of one run: which shards belong together, and which are missing.
import { defined } from '../matrix/api/index.js';
import {
  type Case,
  type Choice,
  choiceOf,
  choose,
  type RunFooter,
  type RunHeader,
} from '../suites/requirements/index.js';

/** A run in the evidence: its header, and its footer if it has one. */
export interface WrittenRun {
  readonly header: RunHeader;
  end?: RunFooter;
}

/** The shards in the evidence. */
export interface Shards {
  readonly of: number;
  /** The indexes of the present shards, from 1, in order. */
  readonly present: readonly number[];
  /** The indexes of the present shards without a footer. */
  readonly killed: readonly number[];
}

/** Returns the choice of all shards together. */
export function wholeOf({ shard: _, ...whole }: Choice): Choice {
  return whole;
}

/** Returns why two pieces of evidence are not shards of one run; undefined if they are. */
export function differenceOfRuns(one: RunHeader, other: RunHeader): string | undefined {
  const [a, b] = [choiceOf(one), choiceOf(other)];
  const apart = `run ${other.runId} among the evidence of run ${one.runId}`;
  if (a.shard === undefined || b.shard === undefined) return apart;
  const comparable = (run: RunHeader, choice: Choice) => ({
    'another number of shards': choice.shard?.of,
    'another choice': Object.entries(wholeOf(choice)).sort(),
    'another version of the suite': run.version,
    'another target': givenName(run),
    'another version of the server': run.target.serverVersion,
    'other deviations': run.deviations.map(({ requirement, subject, reason }) => [requirement, subject, reason]),
    'another level': run.strict,
    'another baseline': run.baseline?.failed,
  });
  const others = Object.entries(comparable(other, b));
  const differs = Object.entries(comparable(one, a)).find(
    ([, value], index) => JSON.stringify(value) !== JSON.stringify(others[index]?.[1]),
  );
  if (differs !== undefined) return `${apart}: it has ${differs[0]}`;
  return a.shard.index === b.shard.index ? `${apart}: both are shard ${a.shard.index} of ${a.shard.of}` : undefined;
}

/** Returns the name of a target, unless the name is its address: each shard may have started a server of its own. */
function givenName({ target: { name, url } }: RunHeader): string | undefined {
  return url.replace(/^https?:\/\//, '') === name ? undefined : name;
}

/** Returns the header, the footer and the shards of the evidence. Several runs are shards of one choice. */
export function together(runs: readonly WrittenRun[]): { run?: RunHeader; end?: RunFooter; shards?: Shards } {
  const ordered = [...runs].sort((a, b) => indexOf(a) - indexOf(b));
  const [first] = ordered;
  if (first === undefined) return {};
  const of = choiceOf(first.header).shard?.of;
  const ends = ordered.flatMap((run) => (run.end === undefined ? [] : [endOf(run, runs.length > 1)]));
  const end = ends.reduce<RunFooter | undefined>(
    (all, one) => (all === undefined ? one : bothEnds(all, one)),
    undefined,
  );
  return {
    run: runs.length === 1 ? first.header : joined(ordered, first.header),
    ...(end && { end }),
    ...(of !== undefined && {
      shards: {
        of,
        present: ordered.map(indexOf),
        killed: ordered.filter((run) => run.end === undefined).map(indexOf),
      },
    }),
  };
}

const indexOf = ({ header }: WrittenRun): number => choiceOf(header).shard?.index ?? 0;

function joined(runs: readonly WrittenRun[], first: RunHeader): RunHeader {
  const headers = runs.map(({ header }) => header);
  const lacks = headers.flatMap(({ notSupported }) => notSupported);
  return {
    ...first,
    runId: headers.map(({ runId }) => runId).join(', '),
    startedAt: headers.map(({ startedAt }) => startedAt).sort()[0] ?? first.startedAt,
    notSupported: [...new Map(lacks.map((lack) => [`${lack.capability} ${lack.reason}`, lack])).values()],
    choice: wholeOf(choiceOf(first)),
  };
}

function endOf({ header, end }: WrittenRun, named: boolean): RunFooter {
  const { aborted, ...rest } = end as RunFooter;
  const { shard } = choiceOf(header);
  if (aborted === undefined || shard === undefined || !named) return end as RunFooter;
  return { ...rest, aborted: `shard ${shard.index} of ${shard.of}: ${aborted}` };
}

/** Combines two footers of a run: the later time, all leftovers, all outages, the first reason. */
export function bothEnds(first: RunFooter, second: RunFooter): RunFooter {
  const aborted = first.aborted ?? second.aborted;
  const outages = [...(first.outages ?? []), ...(second.outages ?? [])];
  return {
    type: 'end',
    endedAt: [first.endedAt, second.endedAt].sort()[1] ?? second.endedAt,
    leftovers: [...new Set([...first.leftovers, ...second.leftovers])],
    ...defined({ aborted }),
    ...(outages.length > 0 && { outages }),
  };
}

/** Returns the cases of the missing shards, by shard. A shard without cases is not missing. */
export function missingShards(
  choice: Choice,
  shards: Shards | undefined,
  all: readonly Case[],
): ReadonlyMap<number, readonly Case[]> {
  const { of = 0, present = [] } = shards ?? {};
  const absent = Array.from({ length: of }, (_, index) => index + 1).filter((index) => !present.includes(index));
  const cases = absent.map((index) => [index, choose({ ...choice, shard: { index, of } }, all)] as const);
  return new Map(cases.filter(([, of]) => of.length > 0));
}
