// The pod security levels that a namespace asks for in its labels.
import type { Causes } from '../../../schema/causes.js';
import type { ObjectMeta } from '../../../schema/object.js';

/** What happens to a pod that violates a level. */
export type Mode = 'enforce' | 'audit' | 'warn';
export const modes: readonly Mode[] = ['enforce', 'audit', 'warn'];

export type LevelName = 'privileged' | 'baseline' | 'restricted';
const levelNames: readonly string[] = ['privileged', 'baseline', 'restricted'] satisfies LevelName[];

/** A level as of a minor version of Kubernetes; `Infinity` for the latest one. */
export interface Level {
  readonly name: LevelName;
  readonly minor: number;
}

export const labelOf = (mode: Mode): string => `pod-security.kubernetes.io/${mode}`;
const versionLabelOf = (mode: Mode): string => `${labelOf(mode)}-version`;

const latest = 'latest';
const versionForm = /^v1\.(0|[1-9]\d{0,8})$/;

export const shownLevel = ({ name, minor }: Level): string =>
  `${name}:${minor === Number.POSITIVE_INFINITY ? latest : `v1.${minor}`}`;

type Labels = ObjectMeta['labels'];

/** Returns the level of a mode. One that is not known counts as restricted when it is enforced, and as none otherwise. */
export function levelIn(labels: Labels = {}, mode: Mode): Level {
  const { [labelOf(mode)]: name = 'privileged', [versionLabelOf(mode)]: version = latest } = labels;
  const [, minor] = versionForm.exec(version) ?? [];
  const unknown: LevelName = mode === 'enforce' ? 'restricted' : 'privileged';
  return {
    name: levelNames.includes(name) ? (name as LevelName) : unknown,
    minor: minor === undefined ? Number.POSITIVE_INFINITY : Number(minor),
  };
}

/** Returns the levels of all modes. Whoever asks for no warnings gets them of what is enforced. */
export function levelsIn(labels: Labels = {}): Readonly<Record<Mode, Level>> {
  const [enforce, warn] = [levelIn(labels, 'enforce'), levelIn(labels, 'warn')];
  const isAsEnforced = labels[labelOf('warn')] === undefined && levelNames.includes(labels[labelOf('enforce')] ?? '');
  const { minor } = labels[versionLabelOf('warn')] === undefined ? enforce : warn;
  return { enforce, audit: levelIn(labels, 'audit'), warn: isAsEnforced ? { name: enforce.name, minor } : warn };
}

/** Adds a cause for each label that names no level and no version, unless the namespace had it before. */
export function checkLabels(labels: Labels = {}, before: Labels = {}, causes: Causes): void {
  const check = (label: string, isGood: (value: string) => boolean, rule: string): void => {
    const value = labels[label];
    if (value === undefined || value === before[label] || isGood(value)) return;
    causes.invalid(`metadata.labels[${label}]`, value, rule);
  };
  for (const mode of modes) {
    check(labelOf(mode), (value) => levelNames.includes(value), `must be one of ${levelNames.join(', ')}`);
    const isVersion = (value: string): boolean => value === latest || versionForm.test(value);
    check(versionLabelOf(mode), isVersion, 'must be "latest" or "v1.x"');
  }
}

/** Reports whether one level may refuse what another one lets through, as far as their names and versions tell. */
export const isStricter = (one: Level, other: Level): boolean =>
  one.name !== 'privileged' &&
  (one.minor !== other.minor || levelNames.indexOf(one.name) > levelNames.indexOf(other.name));
