// The options of a run besides its target, and their validation.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { groupBy } from '../../matrix/api/groupBy.js';
import type { FoundKind } from '../../matrix/api/index.js';
import { unknownName } from '../../matrix/api/nearest.js';
import {
  allCases,
  type Case,
  type Choice,
  chapters,
  choose,
  type DemandedFeatures,
  type EvidenceChoice,
  evidenceChoices,
  type FeatureName,
  featureNames,
  profiles,
  requirements,
} from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { termRows, widthOf } from '../terminal.js';

export interface ChoiceOptions {
  readonly chapter?: readonly string[];
  readonly grep?: string;
  /** The ids of the cases to run. */
  readonly only?: readonly string[];
  readonly profile?: NonNullable<Choice['profile']>;
  readonly readOnly?: true;
  readonly everyKind?: true;
  readonly kinds?: readonly string[];
  readonly shard?: NonNullable<Choice['shard']>;
}

export interface RunOptions extends ChoiceOptions {
  /** Only the cases that failed in the last run in `output`. */
  readonly failed?: true;
  /** Goes on after the cases: runs again what failed after a key or a changed file. */
  readonly watch?: true;
  /** The files and folders whose changes begin a round. */
  readonly watchFiles?: readonly string[];
  readonly output: string;
  /** The directory of the results for Allure. */
  readonly allure?: string;
  /** A directory with an object of each kind, in YAML. */
  readonly samples?: string;
  /** The command that repeats the run, for its report. */
  readonly again?: string;
  readonly workers: string;
  readonly concurrency: string;
  readonly strict?: true;
  readonly evidence?: EvidenceChoice;
  /** A file of an earlier run. */
  readonly baseline?: string;
  readonly history?: string;
  readonly fixtures?: string;
  readonly egressSocket?: string;
  /** The seed of the random histories. */
  readonly seed?: string;
  /** The number of random histories of each kind. */
  readonly histories?: string;
  /** In seconds. */
  readonly timeout?: string;
  /** The time limit for a lost server to come back, in seconds. */
  readonly recoveryTimeout?: string;
  /** The features that are judged even if the target seems to lack them. */
  readonly features?: DemandedFeatures;
}

/** Adds the options of all commands that run the suite. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--chapter <names>', 'only these chapters, separated by commas; may be repeated', chaptersOf)
    .option(
      '--grep <id>',
      'only cases whose id contains this pattern: * is any text, ^ the start, $ the end',
      (text: string) => filled('--grep', text),
    )
    .option('--failed', 'only the cases that failed in the last run in --output')
    .option('--watch', 'go on after the cases: Enter runs again what failed, then what is near it')
    .option('--watch-files <paths>', 'files and folders, separated by commas; a change does as Enter does', pathsOf)
    .option('--profile <name>', 'smoke, standard or full (default: full); see below', profileOf)
    .option('--read-only', 'only cases that send nothing but GET requests, for a server that is in use')
    .option('--every-kind', 'also the kinds that only the server knows: custom resources, other groups and versions')
    .option(
      '--kinds <names>',
      'only these kinds, as plural.group, separated by commas; * is any text; kinds that are named explicitly are also written to',
      kindsOf,
    )
    .option('--samples <directory>', 'YAML files with a valid object of each kind that cannot be made from its schema')
    .option('--shard <i/n>', 'only part i of n; the command report joins the parts', shardOf)
    .option('--list', 'print the ids of the chosen cases and exit')
    .option(
      '--features <names>',
      'test these features even if the server seems not to support them; all: every feature',
      featuresOf,
    )
    .option('--strict', 'recommended requirements decide as required ones do')
    .option(
      '--history <file>',
      'the verdicts of earlier runs, which the page shows; this one is added, so keep the file',
    )
    .option(
      '--baseline <file>',
      'the report of an earlier run, or its evidence.jsonl.gz: only new failures fail the run',
    )
    .addOption(evidenceOption())
    .option('--output <directory>', 'directory for the evidence and the report', 'report')
    .option('--allure <directory>', 'directory for results of Allure; requires the package allure-playwright')
    .addOption(workersOption())
    .option(
      '--concurrency <n>',
      'maximum number of cases at the same time, in all workers together',
      numberFor('--concurrency', /^[1-9]\d{0,2}$/, 'from 1 to 999'),
      '16',
    )
    .option(
      '--seed <n>',
      'seed of the random histories (default: 1); a failure prints the seed that repeats it',
      numberFor('--seed', /^\d{1,9}$/, 'from 0 to 999999999'),
    )
    .option(
      '--histories <n>',
      'number of random histories of each kind (default: 1)',
      numberFor('--histories', /^[1-9]\d{0,4}$/, 'from 1 to 99999'),
    )
    .option(
      '--timeout <seconds>',
      'how long the server may take to respond (default: 15)',
      numberFor('--timeout', /^[1-9]\d{0,2}$/, 'of seconds from 1 to 999'),
    )
    .option(
      '--recovery-timeout <seconds>',
      'how long to wait for a server that stopped responding (default: 90; 20 if the run started it)',
      numberFor('--recovery-timeout', /^\d{1,3}$/, 'of seconds from 0 to 999'),
    )
    .addHelpText('after', choicesHelp);
}

/** More workers than this load the server, and do not shorten a run. */
const mostWorkers = 8;

function workersOption(): Option {
  const number = Math.min(mostWorkers, availableParallelism());
  const meaning = `one for each core, at most ${mostWorkers}`;
  return new Option('--workers <n>', 'number of parallel workers')
    .default(String(number), meaning)
    .argParser(numberFor('--workers', /^[1-9]\d?$/, 'from 1 to 99'));
}

/** Returns a parser that accepts the numbers of a pattern, and keeps their text. */
function numberFor(option: string, pattern: RegExp, range: string): (text: string) => string {
  return (text) => {
    if (pattern.test(filled(option, text))) return text;
    throw new UsageError(`${option}: ${text} is not a number ${range}`);
  };
}

/** Returns the profiles and chapters with their numbers of cases, for the end of the help. */
function choicesHelp(): string {
  const rows = (names: readonly string[], of: (name: string) => string): string =>
    termRows(
      names.map((name) => [name, of(name)]),
      widthOf(process.stdout),
    ).join('\n');
  const count = (cases: readonly Case[] = []): string => cases.length.toLocaleString('en-US').padStart(6);
  const profile = (name: string): string => {
    const known = name as (typeof profiles)[number];
    return `${count(choose({ profile: known }))} cases: ${profileMeanings[known]}`;
  };
  const ofChapters = groupBy(allCases(), ({ requirement: { chapter } }) => chapter);
  return `
Profiles:
${rows(profiles, profile)}

Chapters:
${rows([...ofChapters.keys()], (name) => `${count(ofChapters.get(name))} cases`)}
`;
}

const profileMeanings = {
  smoke: 'each operation, and each requirement, once',
  standard: 'each operation and input; each requirement, media type and mechanism on each verb and each kind',
  full: 'every combination',
} as const satisfies Record<(typeof profiles)[number], string>;

function evidenceOption(): Option {
  const meaning = 'passed cases that show their exchange; sample, the default: one of each requirement; failures: none';
  return new Option('--evidence <which>', meaning).choices(evidenceChoices);
}

/** Returns names that are separated by commas. Throws UsageError if there are none. */
function namesIn(option: string, text: string): string[] {
  const names = text.split(',').filter((name) => name !== '');
  filled(option, names.join());
  return names;
}

/** Returns the value of an option. Throws UsageError if it is empty, which a variable of a script may be by mistake. */
function filled(option: string, text: string): string {
  if (text === '') throw new UsageError(`${option}: the value is empty: give one, or leave the option out`);
  return text;
}

function featuresOf(text: string, before: DemandedFeatures = []): DemandedFeatures {
  if (text === 'all' || before === 'all') return 'all';
  const names = namesIn('--features', text);
  const known: readonly string[] = featureNames;
  const unexpected = names.find((name) => !known.includes(name));
  if (unexpected !== undefined) throw new UsageError(`--features: ${unknownName('feature', unexpected, known)}`);
  return [...before, ...(names as FeatureName[])];
}

/** Parses chapter names separated by commas, and appends them to the earlier ones. Throws if a name is unknown. */
function chaptersOf(text: string, before: readonly string[] = []): readonly string[] {
  const names = namesIn('--chapter', text);
  const unexpected = names.find((name) => !Object.hasOwn(chapters, name));
  if (unexpected !== undefined) {
    if (requirements.some(({ id }) => id === unexpected))
      throw new UsageError(`--chapter: ${unexpected} is a requirement: write --grep ${unexpected}`);
    throw new UsageError(`--chapter: ${unknownName('chapter', unexpected, Object.keys(chapters))}`);
  }
  return [...before, ...names];
}

const pathsOf = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...namesIn('--watch-files', text),
];

function kindsOf(text: string, before: readonly string[] = []): readonly string[] {
  const names = namesIn('--kinds', text);
  const malformed = names.find((name) => !/^[a-z0-9*]([a-z0-9.*-]*[a-z0-9*])?$/.test(name));
  if (malformed !== undefined)
    throw new UsageError(`--kinds: ${malformed} is not the name of a kind; write it as widgets.example.com or *.apps`);
  return [...before, ...names];
}

function profileOf(name: string): ChoiceOptions['profile'] {
  const profile = profiles.find((known) => known === filled('--profile', name));
  if (profile === undefined) throw new UsageError(`--profile: ${unknownName('profile', name, profiles)}`);
  return profile;
}

function shardOf(text: string): ChoiceOptions['shard'] {
  const [, index, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(filled('--shard', text))?.map(Number) ?? [];
  if (index === undefined || of === undefined || index < 1 || index > of) {
    throw new UsageError(`--shard: ${text} is not a shard; write it as 2/3, the second of three`);
  }
  return { index, of };
}

/** The cases of a run, and the choice that selects them. */
export interface ChosenCases {
  readonly choice: Choice;
  readonly cases: readonly Case[];
  /** The kinds that only the target knows, whose cases are among the chosen. */
  readonly kinds: readonly FoundKind[];
}

/** Reports whether the cases depend on the kinds that the target has. */
export const asksForKinds = ({ everyKind, kinds }: ChoiceOptions): boolean => everyKind === true || kinds !== undefined;

/**
 * Returns the chosen cases. Throws UsageError if there are none. `found`: the kinds that only the target knows; before
 * they are known, a choice that asks for them may be empty.
 */
export function chosenFrom(options: ChoiceOptions, found?: readonly FoundKind[]): ChosenCases {
  const { chapter, grep, only, profile, readOnly, everyKind, kinds: names, shard } = options;
  const all = allCases(found);
  const whole: Choice = {
    ...(chapter === undefined ? {} : { chapters: chapter }),
    ...(grep === undefined ? {} : { grep }),
    ...(only === undefined ? {} : { only }),
    ...(profile === undefined || profile === 'full' ? {} : { profile }),
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(everyKind === undefined ? {} : { everyKind }),
    // With --every-kind, the names only say which kinds may be written.
    ...(names === undefined || everyKind ? {} : { kinds: names }),
  };
  const kinds = found ?? [];
  const isOpen = found === undefined && asksForKinds(options);
  const chosen = choose(whole, all);
  if (chosen.length === 0 && !isOpen) throw new UsageError(`${whyNone(whole, all)}; run --list prints all ids`);
  if (shard === undefined) return { choice: whole, cases: chosen, kinds };
  const choice = { ...whole, shard };
  const cases = choose(choice, all);
  if (cases.length === 0 && !isOpen) {
    throw new UsageError(`--shard ${shard.index}/${shard.of} has no case: what is chosen needs fewer shards`);
  }
  return { choice, cases, kinds };
}

function whyNone({ grep, ...rest }: Choice, all: readonly Case[]): string {
  if (rest.only !== undefined) return 'none of the cases that failed in the last run is among the chosen';
  if (rest.kinds !== undefined)
    return `the server has no kind ${rest.kinds.join(', ')}, or the chosen cases none of it`;
  const contains = `no case id contains ${JSON.stringify(grep)}`;
  if (grep === undefined) {
    const { chapters, profile, readOnly } = rest;
    const which = chapters === undefined ? 'the suite' : chapters.join(', ');
    const limits = [profile && `--profile ${profile}`, readOnly && '--read-only'].filter(Boolean);
    const both = limits.join(' and ');
    return `${both} ${limits.length > 1 ? 'leave' : 'leaves'} no case of ${which}: leave out ${both}`;
  }
  return Object.keys(rest).length === 0 || choose({ grep }, all).length === 0
    ? contains
    : `${contains} among the chosen`;
}

/** Returns the chosen cases. Throws UsageError for invalid options. */
export function checkOptions(options: RunOptions): ChosenCases {
  const chosen = chosenFrom(options);
  const { allure, watch, watchFiles, samples } = options;
  if (allure !== undefined) checkAllure();
  if (samples !== undefined && !asksForKinds(options))
    throw new UsageError('--samples is an option of --every-kind and --kinds: add one of them');
  if (samples !== undefined && !existsSync(samples))
    throw new UsageError(`--samples: cannot read ${samples}: there is none: give a directory with YAML files`);
  if (watchFiles !== undefined && !watch) throw new UsageError('--watch-files is an option of --watch: add --watch');
  if (watch && allure !== undefined) throw new UsageError('--watch writes no results for Allure: leave out --allure');
  return chosen;
}

/** Throws UsageError if the Allure reporter, an optional package, is not installed. */
function checkAllure(): void {
  try {
    createRequire(import.meta.url).resolve('allure-playwright');
  } catch {
    throw new UsageError('--allure requires a package that is not installed: npm install allure-playwright@3');
  }
}

/** Prints the ids of the chosen cases, one on each line. Throws UsageError if there are none. */
export function listCases(options: ChoiceOptions): void {
  if (asksForKinds(options))
    throw new UsageError('--list does not ask the server for its kinds: leave out --every-kind and --kinds');
  const ids = chosenFrom(options).cases.map(({ id }) => id);
  process.stdout.write(`${ids.join('\n')}\n`);
}
