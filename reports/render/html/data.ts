// Writes the data of the page: each name occurs once, and a case is three numbers.
import { groupBy } from '../../../matrix/api/groupBy.js';
import { type Operation, resourceId, statedOperations } from '../../../matrix/api/index.js';
import { interfaceUrl, rules } from '../../../matrix/interface/index.js';
import type { RunHeader } from '../../../suites/requirements/index.js';
import { type JudgedCase, whyUnjudged } from '../../judge/counts.js';
import { withoutBody } from '../../judge/failureMessage.js';
import { columnOf, columns } from '../../judge/kindMap.js';
import { otherKinds } from '../../judge/otherKinds.js';
import type { RequirementVerdict, Verdict } from '../../judge/verdict.js';
import type { EvidenceLink, Island, IslandRequirement, IslandSubject } from '../../page/island.js';
import { caseVerdicts, shellWord } from '../../page/words.js';
import { cutTo, visible } from '../../safeText.js';
import type { PlacedEvidence } from './evidencePlaces.js';
import { quotedRule } from './requirements.js';

/** The longest message in a list, in characters; the evidence has the whole message. */
const messageLimit = 300;

const letters = new Map<string, string>(caseVerdicts.map(({ name, letter }) => [name, letter]));

export function islandOf(verdict: Verdict, run: RunHeader | undefined, placed: PlacedEvidence): Island {
  const { requirements, cases } = verdict;
  const kinds = new Names(kindsInOrder());
  const verbs = new Names(['discovery', ...columns]);
  const media = new Names([]);
  const mechanisms = new Names([]);
  const operations = new Names([]);
  const messages = new Names([]);
  const reasons = new Names([]);
  const subjects = new Map<string, number>();
  const rows: IslandSubject[] = [];
  const subjectOf = cases.map(({ subject, about }) => {
    const operation = about?.operation;
    const head = operation && subject.startsWith(operation.id) ? operation.id : undefined;
    const row: IslandSubject = [
      visible(head === undefined ? subject : subject.slice(head.length)),
      head === undefined ? -1 : operations.numberOf(head),
      about?.mediaType === undefined ? -1 : media.numberOf(about.mediaType),
      about?.mechanism === undefined ? -1 : mechanisms.numberOf(about.mechanism),
      kinds.numberOf(visible(operation ? kindOf(operation) : (about?.resource ?? 'server'))),
      operation ? verbs.numberOf(verbOf(operation)) : -1,
    ];
    const key = JSON.stringify(row);
    const number = subjects.get(key) ?? rows.push(row) - 1;
    subjects.set(key, number);
    return number;
  });
  const unpassed = cases.filter(({ verdict }) => verdict !== 'passed');
  const deviating = cases.filter(({ verdict }) => verdict === 'known-deviation');
  const indexes = new Map(cases.map((judged, index) => [judged, index]));
  const indexOf = (judged: JudgedCase): number => indexes.get(judged) ?? -1;
  const messageOf = unpassed.map((judged) => {
    const message = judged.skip ? whyUnjudged(judged) : judged.message;
    return message ? messages.numberOf(shortMessage(message)) : -1;
  });
  const reasonOf = deviating.map(({ deviation }) =>
    deviation ? reasons.numberOf(shortMessage(deviation.reason)) : -1,
  );
  const stated = new Map(
    statedOperations.map((operation): [string, readonly [number, number]] => {
      const cell = [kinds.numberOf(kindOf(operation)), verbs.numberOf(verbOf(operation))] as const;
      return [cell.join(), cell];
    }),
  );
  return {
    command: commandOf(run),
    kinds: kinds.all,
    verbs: verbs.all,
    media: media.all,
    mechanisms: mechanisms.all,
    stated: [...stated.values()],
    operations: operations.all,
    subjects: rows,
    rules: rules.map(({ number, title, text, why }) => [number, title, text, why, interfaceUrl(number)] as const),
    requirements: [...requirements, ...(verdict.kinds?.requirements ?? [])].map(requirementRow),
    others: otherKinds(verdict).map(({ kind, note }) => [kinds.numberOf(kind), note] as const),
    verdicts: cases.map(({ verdict }) => letters.get(verdict) ?? 'f').join(''),
    subjectOf,
    messages: messages.all,
    messageOf,
    reasons: reasons.all,
    reasonOf,
    templates: [...placed.inline].map(([judged, template]) => [indexOf(judged), template] as const),
    beside: [...placed.beside].map(([judged, href]): EvidenceLink => [indexOf(judged), href]),
  };
}

/** Returns a message for lists and for the filter. */
export function shortMessage(text: string): string {
  return cutTo(visible(withoutBody(text.trim())), messageLimit);
}

/** Returns the beginning of a command that runs cases of this target again; the reader adds credentials if needed. */
function commandOf(run: RunHeader | undefined): string {
  const url = visible(run?.target.url ?? '');
  const authority = url.startsWith('https:') ? ' --ca "$CA"' : '';
  const own = run?.target.name === 'reference-server' ? 'run --target reference-server' : undefined;
  const fallback = `npx kube-api-conformance ${own ?? `run --url ${shellWord(url)}${authority} --token "$TOKEN"`}`;
  return `${visible(run?.command ?? fallback)} --output one-case`;
}

/** Returns every kind that the document states, in the order of the groups. */
function kindsInOrder(): string[] {
  const groups = groupBy(new Set(statedOperations.map(kindOf)), (kind) => kind.split('/')[0] ?? kind);
  return [...groups.values()].flat();
}

const kindOf = ({ resource, groupVersion }: Operation): string =>
  resource ? resourceId(resource) : groupVersion.group || 'core';
const verbOf = ({ verb }: Operation): string => (verb === 'discover' ? 'discovery' : columnOf(verb));

const numberOf = new Map(rules.map(({ number }, index) => [number, index]));

/** Returns the index of the rule that a requirement checks; -1 for a requirement that the matrix does not have. */
function ruleNumber(id: string): number {
  const rule = quotedRule(id);
  return rule === undefined ? -1 : (numberOf.get(rule.number) ?? -1);
}

function requirementRow({ requirement: { id, row }, state, cases }: RequirementVerdict): IslandRequirement {
  const empty = state === 'untested' || state === 'unobservable' ? { empty: state } : {};
  return {
    id: visible(id),
    ...(row.level === 'recommended' && { recommended: 1 }),
    rule: ruleNumber(id),
    text: visible(row.text),
    ...empty,
    cases: cases.length,
  };
}

/** Numbers names, each once. */
class Names {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(names: readonly string[]) {
    for (const name of names) this.numberOf(name);
  }

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.all.push(name) - 1;
    this.#numbers.set(name, number);
    return number;
  }
}
