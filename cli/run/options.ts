// What a run can be told beside its target, and the command line's options for it.
import { type Command, Option } from 'commander';
import {
  type Choice,
  chapters,
  choose,
  currentChapter,
  currentId,
  type DemandedFeatures,
  type EvidenceChoice,
  evidenceChoices,
  type FeatureName,
  profiles,
} from '../../matrix/requirements/index.js';
import { strangeFeature } from '../demandedFeatures.js';
import { unknownName } from '../nearest.js';
import { UsageError } from '../usageError.js';

/** The options that choose cases. */
export interface ChoiceOptions {
  readonly chapter?: readonly string[];
  readonly grep?: string;
  readonly profile?: NonNullable<Choice['profile']>;
  readonly readOnly?: true;
  readonly shard?: NonNullable<Choice['shard']>;
}

/** What the command line says of a run beside its target. */
export interface RunOptions extends ChoiceOptions {
  readonly output: string;
  /** The command that starts such a run, for its report. */
  readonly again?: string;
  readonly workers: string;
  readonly strict?: true;
  readonly evidence?: EvidenceChoice;
  /** File of an earlier run. */
  readonly baseline?: string;
  readonly fixtures?: string;
  readonly egressSocket?: string;
  /** Seconds. */
  readonly patience?: string;
  /** Seconds in which a server that is gone may come back. */
  readonly comesBack?: string;
  /** Judged even where the target seems to lack them. */
  readonly features?: DemandedFeatures;
}

/** Adds the options of every command that runs the suite. */
export function addRunOptions(command: Command): Command {
  return command
    .option('--chapter <names>', 'only these chapters, separated by commas; may be repeated', chaptersOf)
    .option('--grep <id>', 'only cases whose id contains this text', currentId)
    .option('--profile <name>', 'smoke, standard or full (default: full); see below', profileOf)
    .option('--read-only', 'only cases that send nothing but GET requests, for a server that is in use')
    .option('--shard <i/n>', 'only part i of n; the command report joins the parts', shardOf)
    .option('--list', 'print the ids of the chosen cases and exit')
    .option(
      '--features <names>',
      'test these features even if the server seems not to support them; all: every feature',
      featuresOf,
    )
    .option('--strict', 'recommended requirements decide as required ones do')
    .option('--baseline <file>', 'evidence.jsonl or report.json of an earlier run: only new failures fail the run')
    .addOption(evidenceOption())
    .option('--output <directory>', 'directory for the evidence and the report', 'report')
    .option('--workers <n>', 'number of parallel workers', '2')
    .option('--patience <seconds>', 'how long the server may take to respond (default: 15)')
    .option(
      '--comes-back <seconds>',
      'how long to wait for a server that stopped responding (default: 90; 20 if the run started it)',
    )
    .addHelpText('after', choicesHelp);
}

/** The profiles and the chapters with their numbers of cases, as the end of the help. */
function choicesHelp(): string {
  const rows = (names: readonly string[], of: (name: string) => string): string => {
    const width = Math.max(...names.map(({ length }) => length));
    return names.map((name) => `  ${name.padEnd(width)}  ${of(name)}\n`).join('');
  };
  const count = (choice: Choice): string => choose(choice).length.toLocaleString('en-US').padStart(6);
  const profile = (name: string): string => {
    const known = name as (typeof profiles)[number];
    return `${count({ profile: known })} cases: ${profileMeanings[known]}`;
  };
  const tested = Object.keys(chapters).filter((name) => choose({ chapters: [name] }).length > 0);
  return `
Profiles:
${rows(profiles, profile)}
Chapters:
${rows(tested, (name) => `${count({ chapters: [name] })} cases`)}`;
}

const profileMeanings = {
  smoke: 'one request for each operation',
  standard: 'every requirement on every operation, with one variant of each input',
  full: 'every combination',
} as const satisfies Record<(typeof profiles)[number], string>;

/** `--evidence`, for the commands that make a report. */
export function evidenceOption(): Option {
  const meaning = 'passed cases that show their exchange; sample, the default: one of each requirement; failures: none';
  return new Option('--evidence <which>', meaning).choices(evidenceChoices);
}

function featuresOf(text: string, before: DemandedFeatures = []): DemandedFeatures {
  if (text === 'all' || before === 'all') return 'all';
  const names = text.split(',').filter((name) => name !== '');
  const strange = strangeFeature(names);
  if (strange !== undefined) throw new UsageError(`--features: ${strange}`);
  return [...before, ...(names as FeatureName[])];
}

/** Names of chapters with commas between them, after those given before. Throws where one is no chapter. */
export function chaptersOf(text: string, before: readonly string[] = []): readonly string[] {
  const names = text
    .split(',')
    .filter((name) => name !== '')
    .map(currentChapter);
  const strange = names.find((name) => !Object.hasOwn(chapters, name));
  if (strange !== undefined) {
    throw new UsageError(`--chapter: ${unknownName('chapter', strange, Object.keys(chapters))}`);
  }
  return [...before, ...names];
}

function profileOf(name: string): ChoiceOptions['profile'] {
  const profile = profiles.find((known) => known === name);
  if (profile === undefined) throw new UsageError(`--profile: ${unknownName('profile', name, profiles)}`);
  return profile;
}

function shardOf(text: string): ChoiceOptions['shard'] {
  const [, index, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index < 1 || index > of) {
    throw new UsageError(`--shard: ${text} is not a shard; write it as 2/3, the second of three`);
  }
  return { index, of };
}

/** The choice that the options make. Throws UsageError where it chooses no case. */
export function choiceFrom({ chapter, grep, profile, readOnly, shard }: ChoiceOptions): Choice {
  const whole: Choice = {
    ...(chapter === undefined ? {} : { chapters: chapter }),
    ...(grep === undefined ? {} : { grep }),
    ...(profile === undefined || profile === 'full' ? {} : { profile }),
    ...(readOnly === undefined ? {} : { readOnly }),
  };
  if (choose(whole).length === 0) throw new UsageError(`${whyNone(whole)}; run --list prints all ids`);
  if (shard === undefined) return whole;
  if (choose({ ...whole, shard }).length === 0) {
    throw new UsageError(`--shard ${shard.index}/${shard.of} has no case: what is chosen needs fewer shards`);
  }
  return { ...whole, shard };
}

function whyNone({ grep, ...rest }: Choice): string {
  const contains = `no case id contains ${JSON.stringify(grep)}`;
  if (grep === undefined) return 'no case is in the chosen chapters and also in the profile or read-only';
  return Object.keys(rest).length === 0 || choose({ grep }).length === 0 ? contains : `${contains} among the chosen`;
}

/** Throws UsageError for options that no run can have. */
export function checkOptions(options: RunOptions): void {
  choiceFrom(options);
  const { workers, patience, comesBack } = options;
  if (!/^[1-9]\d?$/.test(workers)) throw new UsageError(`--workers: ${workers} is not a number from 1 to 99`);
  if (patience !== undefined && !/^[1-9]\d{0,2}$/.test(patience))
    throw new UsageError(`--patience: ${patience} is not a number of seconds from 1 to 999`);
  if (comesBack !== undefined && !/^\d{1,3}$/.test(comesBack))
    throw new UsageError(`--comes-back: ${comesBack} is not a number of seconds from 0 to 999`);
}
