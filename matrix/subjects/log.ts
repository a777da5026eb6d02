// The subject sets of the log chapter: the log operation with each query whose result a check knows.

import { type OperationSubject, perVariant, type Subject, withVerbs } from './build.js';
import type { NodeNeed } from './features.js';

const log = withVerbs('log');

/** Queries that the server answers without asking a node. */
const asked = (...variants: readonly string[]): OperationSubject[] => perVariant(log, variants);
/** Queries that reach a node. */
const askedOf =
  (node: NodeNeed) =>
  (...variants: readonly string[]): OperationSubject[] =>
    asked(...variants).map((subject) => ({ ...subject, node }));
const running = askedOf('running');
const observed = askedOf('observed');

const numbers = ['sinceSeconds', 'tailLines', 'limitBytes'] as const;

export const logSets = {
  logs: running(
    'lines',
    'no line',
    'empty lines',
    'a line without end',
    'a long line',
    'many lines',
    'bytes that are no text',
    'standard output and error',
  ),
  textLogs: running('lines', 'no line'),
  acceptedLogs: running('application/json', 'application/yaml', 'application/json, */*'),
  prettyLogs: running('pretty=true'),
  unnamedContainerLogs: running('the only container'),
  containerLogs: running('the first', 'the second'),
  severalContainerLogs: asked('plain', 'follow=true', 'container='),
  unknownContainerLogs: asked('plain', 'follow=true'),
  previousLogs: running('previous=true', 'previous=true&tailLines=1'),
  currentLogs: running('plain', 'previous=false'),
  neverRestartedLogs: running('previous=true'),
  followedLogs: running('plain', 'tailLines=1', 'timestamps=true'),
  unfollowedLogs: running('plain', 'follow=false'),
  endedLogs: running('a container that has ended', 'a container that ends', 'a limit of bytes'),
  leftLogs: observed('follow=true'),
  sinceSecondsLogs: running('between two lines', 'after the last line'),
  sinceSecondsBeforeStart: running('a year'),
  sinceSecondsOfFuture: running('sinceSeconds=-3600'),
  sinceTimeLogs: running('between two lines', 'at a line', 'after the last line', 'with an offset', 'with a fraction'),
  sinceTimeBeforeStart: running('sinceTime=2001-01-01T00:00:00Z'),
  sinceTimeOfFuture: running('tomorrow'),
  bothStarts: asked('sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z'),
  refusedSinceSeconds: asked('sinceSeconds=0', 'sinceSeconds=-1'),
  malformedSinceTimes: asked('sinceTime=yesterday', 'sinceTime=2020-01-01', 'sinceTime=1577836800'),
  timedLogs: running('timestamps=true', 'timestamps=true&tailLines=2'),
  untimedLogs: running('plain', 'timestamps=false'),
  tailedLogs: running('tailLines=1', 'tailLines=3'),
  untailedLogs: running('from the creation', 'from a sinceTime'),
  emptyTails: running('tailLines=0'),
  longTails: running('tailLines=6', 'tailLines=1000'),
  tailsSince: running('fewer lines than since', 'more lines than since'),
  negativeTails: asked('tailLines=-1'),
  limitedLogs: running('in the middle of a line', 'of the last lines', 'beyond the end'),
  refusedLimits: asked('limitBytes=0', 'limitBytes=-1'),
  largestNumbers: running(...numbers),
  malformedNumbers: asked(...numbers.flatMap((name) => [`${name}=abc`, `${name}=1.5`])),
  unscheduledLogs: asked('plain', 'follow=true'),
  absentLogs: asked('plain', 'follow=true'),
  lostNodes: [...asked('a node that is not there'), ...observed('a node that does not answer')],
  forwardedLogs: observed(
    'plain',
    'follow=true',
    'previous=true',
    'sinceSeconds=3600',
    'sinceTime=2020-01-02T03:04:05Z',
    'timestamps=true',
    'tailLines=7',
    'limitBytes=4096',
    'follow=True&tailLines=0',
    'previous=True&sinceTime=2020-01-02T03:04:05Z&timestamps=1',
    'follow=true&sinceSeconds=60&timestamps=true&tailLines=3&limitBytes=100',
    'follow=true&sinceTime=2020-01-02T03:04:05-07:00&timestamps=true',
    'previous=true&sinceSeconds=60&tailLines=2&limitBytes=100',
    'tailLines=7&tailLines=8&unknown=1',
  ),
  otherMethods: asked('POST', 'PUT', 'PATCH', 'DELETE'),
} as const satisfies Record<string, readonly Subject[]>;
