// The `explain` command: lists requirements, or describes one, a case or a rule of the interface, and why it matters.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { near, nearest } from '../../matrix/api/nearest.js';
import { interfaceUrl, type Rule, rules, sections } from '../../matrix/interface/index.js';
import { countOf, type LevelWord, levels, shellWord } from '../../reports/index.js';
import {
  chapters,
  covers,
  type Deviation,
  isChecked,
  type Requirement,
  requirements,
  requirementsOf,
  subjectSets,
  subjectsOf,
} from '../../suites/requirements/index.js';
import { requirementsOfRule, ruleOf } from '../../suites/requirements/rules.js';
import { UsageError } from '../errors.js';
import { packageRoot } from '../files.js';
import { readTargetFile } from '../target/file.js';
import { section, widthOf } from '../terminal.js';
import { listFormats } from './list.js';

/** The most subjects, deviations and other items in a list; the rest is only counted. */
const shownAtMost = 5;

interface ExplainFlags {
  readonly format: keyof typeof listFormats;
  readonly level?: LevelWord;
}

export function registerExplain(program: Command): void {
  program
    .command('explain')
    .description('list the requirements, or say what one means: its level, its rule, its cases, and what breaks')
    .argument('[what...]', 'chapters (list read), a requirement (responses.status), the id of a case, or a rule (4.1)')
    .addOption(new Option('--format <name>', 'of a list').choices(Object.keys(listFormats)).default('table'))
    .addOption(new Option('--level <name>', 'list only those of this level').choices(levels))
    .action((words: readonly string[], { format, level }: ExplainFlags, command: Command) => {
      if (words.every((word) => Object.hasOwn(chapters, word))) {
        const listed = requirements.filter(
          ({ chapter, row }) =>
            (words.length === 0 || words.includes(chapter)) && (level === undefined || row.level === level),
        );
        process.stdout.write(listFormats[format](listed));
      } else {
        const ofLists = ['format', 'level'].find((name) => command.getOptionValueSource(name) === 'cli');
        if (ofLists !== undefined)
          throw new UsageError(`--${ofLists} is for a list: leave it out, or name only chapters`);
        const lines = explain(words.join(' ').trim(), widthOf(process.stdout));
        process.stdout.write(`${lines.join('\n').trimEnd()}\n`);
      }
    });
}

/**
 * Returns the explanation of a requirement, a case or a rule, as lines. Throws UsageError with the nearest name for an
 * unknown one.
 */
function explain(what: string, width: number): string[] {
  const rule = rules.find(({ number }) => number === what);
  if (rule !== undefined) return explainRule(rule, width);
  const [id = '', subject] = what.split(/[›>]/, 2).map((part) => part.trim());
  const requirement = requirements.find((one) => one.id === id);
  if (requirement === undefined) throw new UsageError(unknown(id));
  return explainRequirement(requirement, subject, width);
}

function explainRequirement(requirement: Requirement, subject: string | undefined, width: number): string[] {
  const { id, row } = requirement;
  const level = row.level;
  const { number, title, text, why, url } = ruleOf(id);
  const subjects = casesOf(requirement);
  if (subject !== undefined && !subjects.includes(subject)) throw new UsageError(unknownCase(id, subject, subjects));
  const known = recordsOf(id, subject);
  const deviations = known.flatMap(({ target, deviations }) =>
    deviations.map((deviation) => {
      const where = subjectsOf(deviation);
      return `${target}: ${deviation.reason}${where.length === 0 ? '' : ` (on ${where.join(', ')})`}`;
    }),
  );
  const cases = subject === undefined ? some(subjects) : [subject];
  return [
    ...section(`${id} (${level})`, [row.text], width),
    ...section(`Rule ${number}, ${title}`, [text, `Why it matters: ${why}`, `${sectionOf(number)}: ${url}`], width),
    ...section(`Why it is ${level}`, [reasonOf(requirement, known)], width),
    ...section('What breaks when it fails', isChecked(row) ? [row.breaks] : [], width),
    ...section(subject === undefined ? countOf(subjects.length, 'case') : 'This case', cases, width),
    ...section('Servers that are known to deviate', some(deviations), width),
    ...(subjects.length === 0 ? [] : section('To run it', [commandOf(id, subject)], Number.POSITIVE_INFINITY)),
  ];
}

function explainRule({ number, title, text, why }: Rule, width: number): string[] {
  const own = requirementsOfRule(number);
  const lines = own.map(({ id, row }) => `${id} (${row.level}): ${row.text}`);
  return [
    ...section(`Rule ${number}, ${title}`, [text, `Why it matters: ${why}`], width),
    ...section(sectionOf(number), [interfaceUrl(number)], width),
    ...section(`${countOf(own.length, 'requirement')} of its own`, lines, width),
  ];
}

const casesOf = ({ row }: Requirement): string[] =>
  isChecked(row) ? subjectSets[row.subjects].map(({ id }: { readonly id: string }) => id) : [];

function reasonOf({ row }: Requirement, records: readonly ServerRecord[]): string {
  if ('reason' in row) return `It is not checked. ${row.reason}`;
  if (row.level === 'required') return `The description of the API states it: “${row.words}”`;
  return `The description of the API leaves it open. ${practiceOf(records)}`;
}

function sectionOf(rule: string): string {
  const number = Number.parseInt(rule, 10);
  return `Section ${number}, ${sections[number - 1]?.title ?? ''}`;
}

const commandOf = (id: string, subject?: string): string =>
  `npx kube-api-conformance run --url https://host:port --grep ${shellWord(subject === undefined ? `${id} ›` : `${id} › ${subject}`)}`;

function some(texts: readonly string[]): string[] {
  const shown = texts.slice(0, shownAtMost);
  return texts.length > shown.length
    ? [...shown, `and ${(texts.length - shown.length).toLocaleString('en-US')} more`]
    : shown;
}

function unknown(what: string): string {
  const ids = requirements.map(({ id }) => id);
  if (/^\d+(\.\d*)?$/.test(what)) return unknownRule(what);
  const named = ids.filter((id) => id.endsWith(`.${what}`));
  const guess =
    named.length > 0 ? named.slice(0, shownAtMost).join(' or ') : near(what, [...Object.keys(chapters), ...ids]);
  const question = guess === undefined ? ';' : `: is it ${guess}?`;
  return `there is no requirement ${what}${question} explain without a name lists them all`;
}

function unknownRule(number: string): string {
  const section = sections[Number.parseInt(number, 10) - 1];
  if (section === undefined) return `there is no rule ${number}: the sections are 1 to ${sections.length}`;
  const own = section.rules.map((rule) => rule.number);
  return `there is no rule ${number}: section ${section.number}, ${section.title}, has the rules ${own[0]} to ${own.at(-1)}`;
}

function unknownCase(id: string, subject: string, subjects: readonly string[]): string {
  if (subjects.length === 0) return `${id} has no cases: no request can show it`;
  return `${id} has no case on ${subject}: is it ${nearest(subject, subjects)}?`;
}

/** A real server whose deviations one of the package's target files records, and those from one requirement. */
interface ServerRecord {
  readonly target: string;
  readonly deviations: readonly Deviation[];
}

/**
 * Returns the recorded servers, in the order of their versions, with their deviations from a requirement, or from its
 * case on a subject.
 */
function recordsOf(requirementId: string, subject: string | undefined): ServerRecord[] {
  const folder = join(packageRoot, 'targets');
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort(byVersion).flatMap((file) => {
    const { name = file, deviations } = readTargetFile(join(folder, file));
    const own = deviations.filter((deviation) =>
      subject === undefined
        ? requirementsOf(deviation).includes(requirementId)
        : covers(deviation, requirementId, subject),
    );
    // A file without any deviation is a pattern for others to copy.
    return deviations.length === 0 ? [] : [{ target: name, deviations: own }];
  });
}

/** Returns, in words, which real servers keep a rule that the description of the API leaves open. */
function practiceOf(records: readonly ServerRecord[]): string {
  const keeping = records.filter(({ deviations }) => deviations.length === 0).map(({ target }) => target);
  const breaking = records.filter(({ deviations }) => deviations.some((one) => subjectsOf(one).length === 0));
  if (keeping.length === records.length)
    return `No deviation is recorded of ${listed(keeping)}, and clients rely on it.`;
  const others = records.filter(({ deviations }) => deviations.length > 0).map(({ target }) => target);
  if (keeping.length > 0)
    return `Real servers differ: ${listed(keeping)} ${keeping.length === 1 ? 'keeps' : 'keep'} it, ${listed(others)} ${others.length === 1 ? 'does' : 'do'} not, or not in every case.`;
  if (breaking.length === records.length)
    return `None of ${listed(others)} keeps it: the rule is this project's own, because of what breaks without it.`;
  return `None of ${listed(others)} keeps it in every case: where they do not, the rule is this project's own, because of what breaks without it.`;
}

const listed = (names: readonly string[]): string => names.join(', ').replace(/, ([^,]*)$/, ' and $1');

const byVersion = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });
