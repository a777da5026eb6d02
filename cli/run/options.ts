// What a run can be told beside its target, and the command line's options for it.
import { type Command, InvalidArgumentError, Option } from 'commander';
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
    .option('--chapter <names>', 'only these chapters, with commas between them; may be given again', namesOf)
    .option('--grep <id>', 'only cases whose id contains this text', currentId)
    .option('--profile <name>', 'smoke: a request for each operation; standard: the matrix; full: all of it', profileOf)
    .option('--read-only', 'only cases that send nothing but GETs, for a server that somebody uses')
    .option('--shard <i/n>', 'only the i-th of n parts; report judges their evidence together', shardOf)
    .option('--list', 'print the ids of the chosen cases and end')
    .option(
      '--features <names>',
      'judge these features though the server seems to lack them; all: every one',
      featuresOf,
    )
    .option('--strict', 'recommended requirements decide as required ones do')
    .option('--baseline <file>', 'evidence.jsonl of an earlier run: only what is new fails')
    .addOption(evidenceOption())
    .option('--output <directory>', 'where evidence and reports go', 'report')
    .option('--workers <n>', 'how many workers', '2')
    .option('--patience <seconds>', 'how long the server may take for an answer (default: 15)')
    .option(
      '--comes-back <seconds>',
      'how long a server that is gone is waited for (default: 90, or 20 for one of the run)',
    );
}

/** `--evidence`, for the commands that make a report. */
export function evidenceOption(): Option {
  const meaning = 'passed cases that show their exchange; sample, the default: one of each requirement; failures: none';
  return new Option('--evidence <which>', meaning).choices(evidenceChoices);
}

function featuresOf(text: string, before: DemandedFeatures = []): DemandedFeatures {
  if (text === 'all' || before === 'all') return 'all';
  const names = text.split(',').filter((name) => name !== '');
  const strange = strangeFeature(names);
  if (strange !== undefined) throw new InvalidArgumentError(strange);
  return [...before, ...(names as FeatureName[])];
}

function namesOf(text: string, before: readonly string[] = []): readonly string[] {
  const names = text
    .split(',')
    .filter((name) => name !== '')
    .map(currentChapter);
  const strange = names.find((name) => !Object.hasOwn(chapters, name));
  if (strange !== undefined) {
    throw new InvalidArgumentError(`there is no chapter ${strange}; there are ${Object.keys(chapters).join(', ')}`);
  }
  return [...before, ...names];
}

function profileOf(name: string): ChoiceOptions['profile'] {
  const profile = profiles.find((known) => known === name);
  if (profile === undefined) throw new InvalidArgumentError(`it is one of ${profiles.join(', ')}`);
  return profile;
}

function shardOf(text: string): ChoiceOptions['shard'] {
  const [, index, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index < 1 || index > of) {
    throw new InvalidArgumentError('write it as 2/3, the second of three');
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
  if (grep === undefined) return 'no case is both in the chapters and in the profile or read-only';
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
