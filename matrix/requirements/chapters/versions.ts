// Versions: one object in two group versions.
import type { Chapter } from '../types.js';

const source = ['Kinds by path prefix/extensions namespaced', 'Versioning/1'] as const;

export const versions = {
  'group-version': {
    level: 'stated',
    source: ['Versioning/1', 'Fields that are stated/any object apiVersion'],
    text: 'An object that is read under a prefix has the apiVersion of that prefix.',
    words: 'group/version, for example the deployment-style value extensions/v1beta1',
    subjects: 'versionedReads',
  },
  'autoscaler-shared': {
    level: 'convention',
    source: [
      ...source,
      'Kind coverage/autoscaling horizontalpodautoscalers',
      'Kind coverage/extensions horizontalpodautoscalers',
    ],
    text: 'A HorizontalPodAutoscaler that is created in one of its two groups can be read and listed in the other.',
    subjects: 'sharedAutoscalers',
  },
  'autoscaler-fields': {
    level: 'convention',
    source: [...source, 'Kinds by path prefix/autoscaling'],
    text: 'A HorizontalPodAutoscaler has the field names of the version that it is read in, with the same meaning.',
    subjects: 'sharedAutoscalers',
  },
  'job-shared': {
    level: 'convention',
    source: [...source, 'Kind coverage/batch jobs', 'Kind coverage/extensions jobs'],
    text: 'A Job that is created in one of its two groups can be read and listed in the other.',
    subjects: 'sharedJobs',
  },
  'job-fields': {
    level: 'convention',
    source: [...source, 'Kinds by path prefix/batch'],
    text: 'A Job has the field names of the version that it is read in, with the same meaning.',
    subjects: 'sharedJobs',
  },
  'one-identity': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'Both versions of an object have the same uid and the same resourceVersion.',
    subjects: 'sharedObjects',
  },
  'one-life': {
    level: 'convention',
    source,
    text: 'An object that is deleted in one version is gone in the other.',
    subjects: 'sharedObjects',
  },
  'write-through': {
    level: 'convention',
    source,
    text: 'A replace or a patch in one version is visible in the other.',
    subjects: 'sharedObjects',
  },
  'status-through': {
    level: 'convention',
    source,
    text: 'A status that is written in one version is visible in the other.',
    subjects: 'sharedObjects',
  },
  watched: {
    level: 'convention',
    source: [...source, 'Events/1'],
    text: 'A watch in each version reports the changes made in the other, in its own form.',
    subjects: 'sharedWatches',
  },
  'other-body': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A body of the other version is refused or converted, and never stored unchanged.',
    subjects: 'otherBodies',
  },
} as const satisfies Chapter;
