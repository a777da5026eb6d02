// The evidence of several shards as that of one run: which belong together, what they say together, which are missing.
import {
  type Case,
  type Choice,
  choiceOf,
  choose,
  type RunFooter,
  type RunHeader,
} from '../matrix/requirements/index.js';

/** A run as the evidence shows it: its header, and its end where it came to one. */
export interface WrittenRun {
  readonly header: RunHeader;
  end?: RunFooter;
}

/** The shards that some evidence is of. */
export interface Shards {
  readonly of: number;
  /** Those that are there, counting from 1, in order. */
  readonly present: readonly number[];
  /** Those that are there without their end. */
  readonly killed: readonly number[];
}

/** What is chosen by all shards together. */
export function wholeOf({ shard: _, ...whole }: Choice): Choice {
  return whole;
}

/** Why the evidence of a run does not belong to that of another, or undefined where they are shards of one choice. */
export function whyApart(one: RunHeader, other: RunHeader): string | undefined {
  const [a, b] = [choiceOf(one), choiceOf(other)];
  const apart = `run ${other.runId} among the evidence of run ${one.runId}`;
  if (a.shard === undefined || b.shard === undefined) return apart;
  const told = (run: RunHeader, choice: Choice) => ({
    'another number of shards': choice.shard?.of,
    'another choice': Object.entries(wholeOf(choice)).sort(),
    'another version of the suite': run.version,
    'another target': givenName(run),
    'another version of the server': run.target.serverVersion,
    'other deviations': run.deviations.map(({ requirement, subject, reason }) => [requirement, subject, reason]),
    'another level': run.strict,
    'another baseline': run.baseline?.failed,
  });
  const others = Object.entries(told(other, b));
  const differs = Object.entries(told(one, a)).find(
    ([, value], index) => JSON.stringify(value) !== JSON.stringify(others[index]?.[1]),
  );
  if (differs !== undefined) return `${apart}: it has ${differs[0]}`;
  return a.shard.index === b.shard.index ? `${apart}: both are shard ${a.shard.index} of ${a.shard.of}` : undefined;
}

/** The name of a target, unless it is called by its address: each shard may have started a server of its own. */
function givenName({ target: { name, url } }: RunHeader): string | undefined {
  return url.replace(/^https?:\/\//, '') === name ? undefined : name;
}

/** The header, the end and the shards of what was read. Several runs are shards of one choice. */
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

/** The end of a run that several writers ended: the later time, all that is left, the first reason. */
export function bothEnds(first: RunFooter, second: RunFooter): RunFooter {
  const aborted = first.aborted ?? second.aborted;
  const outages = [...(first.outages ?? []), ...(second.outages ?? [])];
  return {
    type: 'end',
    endedAt: [first.endedAt, second.endedAt].sort()[1] ?? second.endedAt,
    leftovers: [...new Set([...first.leftovers, ...second.leftovers])],
    ...(aborted !== undefined && { aborted }),
    ...(outages.length > 0 && { outages }),
  };
}

/** The cases of the shards that are not among the evidence, by shard. A shard that has no case is not missed. */
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
