// A testcase of JUnit in three lengths: bare, with its message, or with the deciding exchange.
import { isFailure, type JudgedCase, whyUnjudged } from '../judge/counts.js';
import { decidingExchange } from '../judge/failureMessage.js';
import { failsRun } from '../judge/outcome.js';
import { fragmentOf } from '../page/filter.js';
import { stateWord } from '../page/words.js';
import { cutTo, escapeXml, firstLine } from '../safeText.js';
import { exchangeText } from './exchangeText.js';

/** The content of a testcase: only the outcome; also the message; also the exchange. */
export type TestcaseLength = 'bare' | 'message' | 'whole';

export interface Testcase {
  readonly kind: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  readonly xml: string;
}

/** The longest exchange, in bytes as written, because CI systems limit the size. */
const exchangeLimit = 4 * 1024;

interface Tag {
  readonly classname: string;
  readonly name: string;
  readonly kind: Testcase['kind'];
  readonly milliseconds?: number | undefined;
}

export function testcase({ classname, name, kind, milliseconds = 0 }: Tag, inner = ''): Testcase {
  const open = `<testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}" time="${inSeconds(milliseconds)}"`;
  return { kind, milliseconds, xml: inner === '' ? `${open}/>` : `${open}>${inner}</testcase>` };
}

/** Returns a failure element. `type` is the level of the requirement, or `run`. */
export function failureElement(type: string, message: string, text: string): string {
  return `<failure type="${escapeXml(type)}" message="${escapeXml(firstLine(message))}">${escapeXml(text)}</failure>`;
}

/** Returns seconds for an attribute. Times come from a file: an invalid or negative time counts as zero. */
export const inSeconds = (milliseconds: number): string => (Math.max(0, milliseconds || 0) / 1000).toFixed(3);

/**
 * Returns the testcase of a case. A failure that does not fail the run, because it is in the baseline or does not
 * decide, is skipped.
 */
export function caseTest(judged: JudgedCase, length: TestcaseLength, strict: boolean): Testcase {
  const { requirement, subject, verdict, message, timing, retried } = judged;
  const tag = { classname: requirement.id, name: subject, milliseconds: timing?.milliseconds };
  if (verdict === 'passed')
    return testcase({ ...tag, kind: 'passed' }, retried === undefined ? '' : retryElement(retried));
  if (!failsRun(judged, strict)) {
    const why = length === 'bare' ? '' : ` message="${escapeXml(firstLine(whySkipped(judged)))}"`;
    return testcase({ ...tag, kind: 'skipped' }, `<skipped${why}/>`);
  }
  const level = requirement.row.level;
  const reason = message ? `${stateWord(verdict)}: ${message}` : stateWord(verdict);
  const inner =
    length === 'bare' ? `<failure type="${level}"/>` : failureElement(level, reason, textOf(judged, length));
  return testcase({ ...tag, kind: 'failed' }, inner);
}

const retryElement = (why: string): string =>
  `<system-out>passed by a retry; first: ${escapeXml(firstLine(why))}</system-out>`;

function whySkipped(judged: JudgedCase): string {
  const { verdict, message, deviation, known, requirement } = judged;
  const failed = `${stateWord(verdict)}${message ? `: ${message}` : ''}`;
  if (known) return `known ${failed}`;
  if (isFailure(judged)) return `${requirement.row.level}, does not decide: ${failed}`;
  return `${stateWord(verdict)}: ${deviation?.reason ?? whyUnjudged(judged)}`;
}

/** Returns the sentence of the requirement, the message, the link into the page, and the deciding exchange. */
function textOf(judged: JudgedCase, length: TestcaseLength): string {
  const { id, requirement, message } = judged;
  const link = `index.html${fragmentOf({ view: 'cases', filter: { case: id } })}`;
  if (length === 'message') return link;
  const proof = decidingExchange(judged);
  const shown = proof === undefined ? [] : [shortened(exchangeText(proof, exchangeLimit))];
  return [requirement.row.text, ...(message ? [cutTo(message, 1_000)] : []), link, ...shown].join('\n\n');
}

/** Returns the text, cut so that the escaped text does not exceed the limit. */
function shortened(text: string): string {
  const written = Buffer.byteLength(escapeXml(text));
  const kept = Math.floor((text.length * exchangeLimit) / written);
  return written <= exchangeLimit ? text : cutTo(text, Math.min(kept, exchangeLimit) - 40);
}
