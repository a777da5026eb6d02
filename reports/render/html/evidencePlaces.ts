// Decides for the evidence of each case whether it is on the page or in an additional file.
import { groupBy } from '../../../matrix/api/groupBy.js';
import type { Deviation, Exchange } from '../../../suites/requirements/index.js';
import type { JudgedCase } from '../../judge/counts.js';
import { type FailureGroup, failureGroups, failuresOf, fairShare } from '../../judge/failureGroups.js';
import { bodyLimit } from './body.js';
import { evidenceMarkup } from './evidence.js';
import type { Markup } from './markup.js';

/** The maximum number of failures with evidence on the page, and their maximum size in characters. */
const inlineFailures = 200;
const inlineBudget = 6 * 1024 * 1024;
/** The maximum size of a case's evidence, in characters; longer evidence is reduced to the deciding exchange. */
const roomOfCase = 32 * 1024;
/** The maximum number of deviations with an example on the page. */
const inlineDeviations = 50;

/** The maximum size of the evidence of passed cases on the page, in characters. */
const passedBudget = 2 * 1024 * 1024;

/** The maximum size of one additional file: the characters of its exchanges, and the number of its sections. */
const fileBudget = 1024 * 1024;
const fileSections = 100;

/** Cases with the same exchanges, which are shown once, in one section of a file. */
export interface AdditionalSection {
  readonly id: string;
  readonly cases: readonly JudgedCase[];
}

export interface AdditionalFile {
  /** The path relative to the page. */
  readonly name: string;
  readonly sections: readonly AdditionalSection[];
}

export interface PlacedEvidence {
  /** The cases with evidence on the page, each with its index in `evidence`. */
  readonly inline: ReadonlyMap<JudgedCase, number>;
  readonly evidence: readonly Markup[];
  /** The URLs of the evidence in additional files, by case. */
  readonly beside: ReadonlyMap<JudgedCase, string>;
  readonly files: readonly AdditionalFile[];
}

/** Places the failures, the deviations, and the passed cases with exchanges. `url` is the URL of the target. */
export function placeEvidence(cases: readonly JudgedCase[], url: string): PlacedEvidence {
  const failures = failuresOf(cases).filter(({ missing }) => !missing);
  // The cases to which the first screen links come first, starting with the worst requirement.
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

/** Returns the failure of a group that comes first in the list of its cases. */
function firstOf({ failing }: FailureGroup): JudgedCase[] {
  const withEvidence = failing.filter(({ missing }) => !missing);
  const first = withEvidence.find(({ verdict }) => verdict === 'failed') ?? withEvidence[0];
  return first === undefined ? [] : [first];
}

/** Returns groups of passed cases with the same exchanges, only groups that contain the first case of a requirement. */
function oneOfEach(passed: readonly JudgedCase[]): JudgedCase[][] {
  const alike = groupBy(passed, exchangeIds);
  const firsts = new Set([...groupBy(passed, ({ requirement }) => requirement).values()].map(([first]) => first));
  return [...alike.values()].filter((members) => members.some((judged) => firsts.has(judged)));
}

/** Returns a key that is equal for cases with the same exchanges. */
const exchangeIds = ({ exchanges }: JudgedCase): string => exchanges.map(({ id }) => id).join(' ');

/** Returns the first case of each declared deviation. */
function examples(cases: readonly JudgedCase[]): JudgedCase[] {
  const first = new Map<Deviation, JudgedCase>();
  for (const judged of cases) {
    if (judged.deviation && !first.has(judged.deviation)) first.set(judged.deviation, judged);
  }
  return fairShare([...first.values()], inlineDeviations);
}

function filesOf(rest: readonly JudgedCase[]): AdditionalFile[] {
  const files: { name: string; sections: AdditionalSection[] }[] = [];
  let left = 0;
  for (const cases of groupBy(rest, exchangeIds).values()) {
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
