// Decides where the evidence of each case goes: into the page, or into a file beside it.
import type { Deviation, Exchange } from '../../../matrix/requirements/index.js';
import { groupBy, type JudgedCase } from '../../counts.js';
import { type FailureGroup, failureGroups } from '../../failureGroups.js';
import { failuresOf, fairShare } from '../failures.js';
import { bodyLimit } from './body.js';
import { evidenceMarkup } from './evidence.js';
import type { Markup } from './markup.js';

/** How many failures the page holds in full, and how many characters they may take together. */
const inlineFailures = 200;
const inlineBudget = 6 * 1024 * 1024;
/** How many characters the evidence of a case may take; a longer one has only the exchange that decided. */
const roomOfCase = 32 * 1024;
/** How many deviations the page holds an example of. */
const inlineDeviations = 50;

/** How many characters the evidence of passed cases may take together on the page. */
const passedBudget = 2 * 1024 * 1024;

/** How much one file beside the page holds, in exchanges' characters and in sections. */
const fileBudget = 1024 * 1024;
const fileSections = 100;

/** Cases that the same exchanges prove: shown once, in one section of a file. */
export interface BesideSection {
  readonly id: string;
  readonly cases: readonly JudgedCase[];
}

/** A file beside the page. */
export interface BesideFile {
  /** Its path from the page. */
  readonly name: string;
  readonly sections: readonly BesideSection[];
}

/** Where everything went. */
export interface Placed {
  /** The cases whose evidence the page holds, each with its number among `evidence`. */
  readonly inline: ReadonlyMap<JudgedCase, number>;
  readonly evidence: readonly Markup[];
  /** The address of the evidence of each case that is beside the page. */
  readonly beside: ReadonlyMap<JudgedCase, string>;
  readonly files: readonly BesideFile[];
}

/** Places the failures, the deviations, and the passed cases that have exchanges. `url` is the target's. */
export function place(cases: readonly JudgedCase[], url: string): Placed {
  const failures = failuresOf(cases).filter(({ missing }) => !missing);
  // What the first screen leads to comes first, the worst requirement before all.
  const fair = new Set([...failureGroups(cases).flatMap(firstOf), ...fairShare(failures, inlineFailures)]);
  const chosen = [...[...fair].slice(0, inlineFailures), ...examples(cases)];
  const inline = new Map<JudgedCase, number>();
  const evidence: Markup[] = [];
  const add = (judged: JudgedCase, left: number): number => {
    const whole = evidenceMarkup(judged, url);
    const markup = whole.toString().length > roomOfCase ? evidenceMarkup(judged, url, 'decisive') : whole;
    const { length } = markup.toString();
    if (length > left) return left;
    inline.set(judged, evidence.push(markup) - 1);
    return left - length;
  };
  let left = inlineBudget;
  for (const judged of chosen) left = add(judged, left);
  const passed = cases.filter(({ verdict, exchanges }) => verdict === 'passed' && exchanges.length > 0);
  let leftForPassed = passedBudget;
  for (const alike of oneOfEach(passed)) {
    const [first] = alike;
    if (first) leftForPassed = add(first, leftForPassed);
    const number = first && inline.get(first);
    if (number !== undefined) for (const judged of alike) inline.set(judged, number);
  }
  const deviating = cases.filter(({ verdict }) => verdict === 'known-deviation');
  const rest = [...failures, ...deviating, ...passed].filter(
    (judged) => !inline.has(judged) && judged.exchanges.length > 0,
  );
  const files = filesOf(rest);
  const beside = new Map(
    files.flatMap(({ name, sections }) =>
      sections.flatMap((section) => section.cases.map((judged) => [judged, `${name}#${section.id}`] as const)),
    ),
  );
  return { inline, evidence, beside, files };
}

/** The failure of a group that the list of its cases begins with. */
function firstOf({ failing }: FailureGroup): JudgedCase[] {
  const told = failing.filter(({ missing }) => !missing);
  const first = told.find(({ verdict }) => verdict === 'failed') ?? told[0];
  return first === undefined ? [] : [first];
}

/** Passed cases that the same exchanges prove, together; those with a requirement's first case first, and no others. */
function oneOfEach(passed: readonly JudgedCase[]): JudgedCase[][] {
  const alike = groupBy(passed, proofOf);
  const firsts = new Set([...groupBy(passed, ({ requirement }) => requirement).values()].map(([first]) => first));
  return [...alike.values()].filter((members) => members.some((judged) => firsts.has(judged)));
}

/** What proves a case: the same for cases that one exchange proves. */
const proofOf = ({ exchanges }: JudgedCase): string => exchanges.map(({ id }) => id).join(' ');

/** The first case of each declared deviation. */
function examples(cases: readonly JudgedCase[]): JudgedCase[] {
  const first = new Map<Deviation, JudgedCase>();
  for (const judged of cases) {
    if (judged.deviation && !first.has(judged.deviation)) first.set(judged.deviation, judged);
  }
  return fairShare([...first.values()], inlineDeviations);
}

function filesOf(rest: readonly JudgedCase[]): BesideFile[] {
  const files: { name: string; sections: BesideSection[] }[] = [];
  let left = 0;
  for (const cases of groupBy(rest, proofOf).values()) {
    const weight = (cases[0]?.exchanges ?? []).reduce((sum, exchange) => sum + weightOf(exchange), 0);
    let file = files.at(-1);
    if (!file || weight > left || file.sections.length === fileSections) {
      file = { name: `exchanges/${String(files.length + 1).padStart(3, '0')}.html`, sections: [] };
      files.push(file);
      left = fileBudget;
    }
    left -= weight;
    file.sections.push({ id: `s${file.sections.length + 1}`, cases });
  }
  return files;
}

function weightOf({ request, response, events = [], frames = [] }: Exchange): number {
  const bodies = [request.body, response?.body, ...[...events, ...frames].map(({ data }) => data)];
  const sizes = bodies.map((body) => Math.min((body?.text ?? body?.base64 ?? '').length, bodyLimit));
  return 2_000 + sizes.reduce((sum, size) => sum + size, 0);
}
