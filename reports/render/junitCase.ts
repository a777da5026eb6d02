// A testcase of JUnit in three lengths: bare, with its message, or with all that decided it.
import { isFailure, type JudgedCase, whyUnjudged, wordOf } from '../counts.js';
import { fragmentOf } from '../page/filter.js';
import { levelWord } from '../page/words.js';
import { exchangeText } from './exchangeText.js';
import { proofOf } from './proof.js';
import { cutTo, firstLine } from './visible.js';
import { escapeXml } from './xml.js';

/** How much a testcase says: that it failed or was skipped; also why; also the exchange. */
export type Length = 'bare' | 'message' | 'whole';

/** A testcase. */
export interface Test {
  readonly kind: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  readonly xml: string;
}

/** The longest exchange, in bytes as written; CI systems choke on more. */
const exchangeLimit = 4 * 1024;

/** What the tag of a testcase says. */
interface Tag {
  readonly classname: string;
  readonly name: string;
  readonly kind: Test['kind'];
  readonly milliseconds?: number | undefined;
}

/** A testcase around what is inside. */
export function test({ classname, name, kind, milliseconds = 0 }: Tag, inner = ''): Test {
  const open = `<testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}" time="${seconds(milliseconds)}"`;
  return { kind, milliseconds, xml: inner === '' ? `${open}/>` : `${open}>${inner}</testcase>` };
}

/** A failure. `type` is the level of the requirement, or `run`. */
export function failure(type: string, message: string, text: string): string {
  return `<failure type="${escapeXml(type)}" message="${escapeXml(firstLine(message))}">${escapeXml(text)}</failure>`;
}

/** Times come from a file: one that is no number, or runs backwards, is none. */
export const seconds = (milliseconds: number): string => (Math.max(0, milliseconds || 0) / 1000).toFixed(3);

/** The testcase of a case. A failure that the baseline has fails no run: it is skipped. */
export function caseTest(judged: JudgedCase, length: Length): Test {
  const { requirement, subject, verdict, message, timing, known } = judged;
  const tag = { classname: requirement.id, name: subject, milliseconds: timing?.milliseconds };
  if (verdict === 'passed') return test({ ...tag, kind: 'passed' });
  if (known || !isFailure(judged)) {
    const why = length === 'bare' ? '' : ` message="${escapeXml(firstLine(whySkipped(judged)))}"`;
    return test({ ...tag, kind: 'skipped' }, `<skipped${why}/>`);
  }
  const level = levelWord(requirement.row.level);
  const reason = message ? `${wordOf(verdict)}: ${message}` : wordOf(verdict);
  const inner = length === 'bare' ? `<failure type="${level}"/>` : failure(level, reason, textOf(judged, length));
  return test({ ...tag, kind: 'failed' }, inner);
}

function whySkipped(judged: JudgedCase): string {
  const { verdict, message, deviation, known } = judged;
  if (known) return `known ${wordOf(verdict)}${message ? `: ${message}` : ''}`;
  return `${wordOf(verdict)}: ${deviation?.reason ?? whyUnjudged(judged)}`;
}

/** The sentence of the requirement, what was expected and got, the way into the page, and the deciding exchange. */
function textOf(judged: JudgedCase, length: Length): string {
  const { id, requirement, message, exchanges } = judged;
  const link = `index.html${fragmentOf({ view: 'cases', filter: { case: id } })}`;
  if (length === 'message') return link;
  const proof = proofOf({ exchanges, ...(message !== undefined && { message }) });
  const shown = proof === undefined ? [] : [shortened(exchangeText(proof, exchangeLimit))];
  return [requirement.row.text, ...(message ? [cutTo(message, 1_000)] : []), link, ...shown].join('\n\n');
}

/** The text cut so that it is not longer than the limit once it is escaped. */
function shortened(text: string): string {
  const written = Buffer.byteLength(escapeXml(text));
  const kept = Math.floor((text.length * exchangeLimit) / written);
  return written <= exchangeLimit ? text : cutTo(text, Math.min(kept, exchangeLimit) - 40);
}
