// Decides where the evidence of each failure goes: into the page, or into a file beside it.
import type { Deviation, Exchange } from '../../../matrix/requirements/index.js';
import { groupBy, type JudgedCase } from '../../counts.js';
import { failuresOf, fairShare } from '../failures.js';
import { bodyLimit } from './body.js';
import { evidenceMarkup } from './evidence.js';
import type { Markup } from './markup.js';

/** How many failures the page holds in full, and how many characters they may take together. */
const inlineFailures = 200;
const inlineBudget = 6 * 1024 * 1024;
/** How many deviations the page holds an example of. */
const inlineDeviations = 50;

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
  readonly inline: readonly JudgedCase[];
  /** The evidence of the inline cases, in their order. */
  readonly evidence: readonly Markup[];
  /** The address of the evidence of each case that is beside the page. */
  readonly beside: ReadonlyMap<JudgedCase, string>;
  readonly files: readonly BesideFile[];
}

/** Places the failures and deviations. `url` is the target's. */
export function place(cases: readonly JudgedCase[], url: string): Placed {
  const failures = failuresOf(cases).filter(({ missing }) => !missing);
  const chosen = [...fairShare(failures, inlineFailures), ...examples(cases)];
  const inline: JudgedCase[] = [];
  const evidence: Markup[] = [];
  let left = inlineBudget;
  for (const judged of chosen) {
    const markup = evidenceMarkup(judged, url);
    const { length } = markup.toString();
    if (length > left) continue;
    left -= length;
    inline.push(judged);
    evidence.push(markup);
  }
  const held = new Set(inline);
  const deviating = cases.filter(({ verdict }) => verdict === 'deviation');
  const rest = [...failures, ...deviating].filter((judged) => !held.has(judged) && judged.exchanges.length > 0);
  const files = filesOf(rest);
  const beside = new Map(
    files.flatMap(({ name, sections }) =>
      sections.flatMap((section) => section.cases.map((judged) => [judged, `${name}#${section.id}`] as const)),
    ),
  );
  return { inline, evidence, beside, files };
}

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
  for (const cases of groupBy(rest, ({ exchanges }) => exchanges.map(({ id }) => id).join(' ')).values()) {
    const weight = (cases[0]?.exchanges ?? []).reduce((sum, exchange) => sum + weightOf(exchange), 0);
    let file = files.at(-1);
    if (!file || weight > left || file.sections.length === fileSections) {
      file = { name: `failures/${String(files.length + 1).padStart(3, '0')}.html`, sections: [] };
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
