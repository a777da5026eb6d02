// Determines the type of a line of evidence. The content of a file is `unknown` until its form is checked.
import { mediaTypes, verbs } from '../../matrix/api/index.js';
import {
  type CaseResult,
  type CaseVerdict,
  type EvidenceLine,
  type Exchange,
  evidenceChoices,
  profiles,
} from '../../suites/requirements/index.js';
import { skipReasons } from '../page/words.js';

/** The severity of the verdicts: the verdict of a case can only get worse. */
const severity = {
  passed: 1,
  'not-supported': 2,
  skipped: 3,
  blocked: 4,
  failed: 5,
} as const satisfies Record<CaseVerdict, number>;

/** The fields of a result that decide which of two counts. */
type Judged = Pick<CaseResult, 'verdict' | 'skip'>;

/** Reports whether the first result is worse than the second. Any other result replaces `not-reached`. */
export function isWorse(result: Judged, than: Judged): boolean {
  return severityOf(result) > severityOf(than);
}

const severityOf = ({ verdict, skip }: Judged): number => (skip === 'not-reached' ? 0 : severity[verdict]);

/** Parses a line of evidence. Throws an error that names the fault. */
export function parseLine(text: string): EvidenceLine {
  return checkLine(JSON.parse(text));
}

/** The first fields of an exchange. */
export type ExchangeHead = Pick<Exchange, 'id' | 'at' | 'milliseconds'>;

/** The start of an exchange as the suite writes it; no longer than `headLength` bytes. */
const head = /^\{"type":"exchange","id":"([\w-]+)","at":"([\w.:+-]+)","milliseconds":(\d+(?:\.\d+)?),"request":\{/;
const headLength = 256;
/** The position of the id in an exchange. */
const idStart = '{"type":"exchange","id":"'.length;

/** Returns the first fields of an exchange that the suite wrote, without parsing the line; undefined for other lines. */
export function exchangeHead(line: Buffer): ExchangeHead | undefined {
  const [, found, at, milliseconds] = head.exec(line.toString('latin1', 0, headLength)) ?? [];
  if (found === undefined || at === undefined) return undefined;
  // A part of the matched text would keep the whole text in memory.
  const id = line.toString('latin1', idStart, idStart + found.length);
  return { id, at, milliseconds: Number(milliseconds) };
}

/** Returns a parsed value as a line of evidence. Throws an error that names the fault. */
export function checkLine(line: unknown): EvidenceLine {
  if (!isRecord(line)) throw new Error('it is not an object');
  const shape = shapes.get(line.type);
  if (!shape) throw new Error(`its type ${JSON.stringify(line.type)} is not one of ${[...shapes.keys()].join(', ')}`);
  const wrong = Object.entries(shape).find(([field, fits]) => !fits(line[field]));
  if (wrong) throw new Error(`its field "${wrong[0]}" is missing or malformed`);
  return line as unknown as EvidenceLine;
}

type Check = (value: unknown) => boolean;

/** Reports whether a value is a JSON object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isHeader: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(isText);
const has =
  (shape: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(shape).every(([field, fits]) => fits(value[field]));

const isAbsentOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const isOptionalText = isAbsentOr(isText);
const isOneOrMore: Check = (value) => isText(value) || isListOf(isText)(value);
const isBody = isAbsentOr(has({ bytes: isNumber, text: isOptionalText, base64: isOptionalText }));
const isPosition: Check = (value) => typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 1000;
const isMediaType: Check = (value) => typeof value === 'string' && Object.hasOwn(mediaTypes, value);
const isChoice = has({
  chapters: isAbsentOr(isListOf(isText)),
  grep: isOptionalText,
  only: isAbsentOr(isListOf(isText)),
  everyKind: isAbsentOr((is) => is === true),
  kinds: isAbsentOr(isListOf(isText)),
  profile: isAbsentOr((value) => (profiles as readonly unknown[]).includes(value)),
  shard: isAbsentOr(has({ index: isPosition, of: isPosition })),
});
const isKind = has({
  group: isText,
  version: isText,
  plural: isText,
  kind: isText,
  namespaced: (value) => typeof value === 'boolean',
  verbs: isListOf((value) => typeof value === 'string' && Object.hasOwn(verbs, value)),
  objectTypes: isListOf(isMediaType),
  patchTypes: isListOf(isMediaType),
  watchable: (value) => typeof value === 'boolean',
  readOnly: isOptionalText,
  blocked: isOptionalText,
});
const message = { headers: isListOf(isHeader), body: isBody };

const shapes: ReadonlyMap<unknown, Readonly<Record<string, Check>>> = new Map([
  [
    'run',
    {
      version: isText,
      runId: isText,
      startedAt: isText,
      target: has({ name: isText, url: isText }),
      notSupported: isListOf(has({ capability: isText, reason: isText })),
      deviations: isListOf(
        has({
          requirement: isOneOrMore,
          subject: isAbsentOr(isOneOrMore),
          reason: isText,
          sometimes: isAbsentOr((is) => is === true),
        }),
      ),
      aliases: isAbsentOr(isListOf(has({ groupVersion: isText, resource: isText, to: isText }))),
      nodes: isText,
      anonymous: isOptionalText,
      choice: isChoice,
      kinds: isAbsentOr(isListOf(isKind)),
      command: isOptionalText,
      workers: isNumber,
      evidence: isAbsentOr((value) => (evidenceChoices as readonly unknown[]).includes(value)),
      baseline: isAbsentOr(has({ file: isText, failed: isListOf(isText) })),
    },
  ],
  [
    'exchange',
    {
      id: isText,
      at: isText,
      milliseconds: isNumber,
      request: has({ method: isText, url: isText, ...message }),
      response: isAbsentOr(has({ status: isNumber, ...message })),
    },
  ],
  [
    'case',
    {
      id: isText,
      requirement: isText,
      subject: isText,
      verdict: (value) => typeof value === 'string' && Object.hasOwn(severity, value),
      skip: isAbsentOr((value) => skipReasons.some(({ name }) => name === value)),
      alias: isOptionalText,
      message: isOptionalText,
      retried: isOptionalText,
      note: isOptionalText,
      exchanges: isListOf(isText),
      timing: isAbsentOr(has({ start: isNumber, milliseconds: isNumber })),
    },
  ],
  ['waits', { times: isNumber, milliseconds: isNumber, atOnce: isNumber }],
  [
    'end',
    {
      endedAt: isText,
      leftovers: isListOf(isText),
      aborted: isOptionalText,
      outages: isAbsentOr(isListOf(has({ milliseconds: isNumber, requests: isListOf(isText) }))),
    },
  ],
] as const satisfies readonly (readonly [EvidenceLine['type'], Readonly<Record<string, Check>>])[]);
