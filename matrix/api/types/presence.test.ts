// Pins the optional numbers, booleans and texts for which the zero value and absent differ, and the times that may be absent.
import { expect, it } from 'vitest';
import { types } from './index.js';

it('applies only to optional numbers, booleans, texts and times', () => {
  const rows = Object.values(types).flatMap(({ fields }) => fields.filter(({ presence }) => presence));
  expect(rows).not.toEqual([]);
  for (const { type, shape, required } of rows) {
    expect(['int32', 'int64', 'boolean', 'string', 'time']).toContain(type);
    expect([shape, required]).toEqual([undefined, undefined]);
  }
});

it.each([
  ['DeploymentSpec', ['replicas', 'revisionHistoryLimit', 'progressDeadlineSeconds']],
  ['DeploymentStatus', []],
  ['DeleteOptions', ['gracePeriodSeconds', 'orphanDependents', 'propagationPolicy']],
  ['Preconditions', ['uid', 'resourceVersion']],
  ['SecurityContext', ['privileged', 'runAsUser', 'runAsNonRoot', 'readOnlyRootFilesystem']],
  ['Probe', []],
  ['ScaleSpec', []],
  ['JobStatus', ['startTime', 'completionTime']],
  ['JobCondition', []],
] as const)('%s: %j', (name, expected) => {
  expect(types[name].fields.filter(({ presence }) => presence).map((field) => field.name)).toEqual(expected);
});
