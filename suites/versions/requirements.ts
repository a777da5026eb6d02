// Versions: one object in two group versions.
import type { Chapter } from '../requirements/types.js';

export const versions = {
  'group-version': {
    level: 'required',
    rule: '1.5',
    text: 'An object that is read under a prefix has the apiVersion of that prefix.',
    words: 'group/version, for example the deployment-style value extensions/v1beta1',
    subjects: 'versionedReads',
    breaks: 'A client decodes the object as another version and loses fields.',
  },
  'autoscaler-shared': {
    level: 'recommended',
    rule: '1.6',
    text: 'A HorizontalPodAutoscaler that is created in one of its two groups can be read and listed in the other.',
    subjects: 'sharedAutoscalers',
    breaks: 'Old and new clients see different objects, and each undoes the work of the other.',
  },
  'autoscaler-fields': {
    level: 'recommended',
    rule: '1.6',
    text: 'A HorizontalPodAutoscaler has the field names of the version that it is read in, with the same meaning.',
    subjects: 'sharedAutoscalers',
    breaks: 'A client of one version reads empty fields where the other version has values.',
  },
  'job-shared': {
    level: 'recommended',
    rule: '1.6',
    text: 'A Job that is created in one of its two groups can be read and listed in the other.',
    subjects: 'sharedJobs',
    breaks: 'Old and new clients see different objects, and each undoes the work of the other.',
  },
  'job-fields': {
    level: 'recommended',
    rule: '1.6',
    text: 'A Job has the field names of the version that it is read in, with the same meaning.',
    subjects: 'sharedJobs',
    breaks: 'A client of one version reads empty fields where the other version has values.',
  },
  'one-identity': {
    level: 'recommended',
    rule: '1.6',
    text: 'Both versions of an object have the same metadata, its uid and resourceVersion included.',
    subjects: 'sharedObjects',
    breaks: 'A cache takes the two views of one object for two objects.',
  },
  'one-life': {
    level: 'recommended',
    rule: '1.6',
    text: 'An object that is deleted in one version is gone in the other.',
    subjects: 'sharedObjects',
    breaks: 'Old and new clients see different objects, and each undoes the work of the other.',
  },
  'write-through': {
    level: 'recommended',
    rule: '1.6',
    text: 'A replace or a patch in one version is visible in the other, with the same metadata in both.',
    subjects: 'sharedObjects',
    breaks: 'Old and new clients see different objects, and each undoes the work of the other.',
  },
  'status-through': {
    level: 'recommended',
    rule: '1.6',
    text: 'A status that is written in one version is visible in the other.',
    subjects: 'sharedObjects',
    breaks: 'Old and new clients see different objects, and each undoes the work of the other.',
  },
  watched: {
    level: 'recommended',
    rule: '1.6',
    text: 'A watch in each version reports the changes made in the other, in its own form.',
    subjects: 'sharedWatches',
    breaks: 'A controller of one version does not see changes that were made through the other.',
  },
  'other-body': {
    level: 'recommended',
    rule: '1.6',
    text: 'A body of the other version is refused or converted, and never stored unchanged.',
    subjects: 'otherBodies',
    breaks: 'An object is stored in a form that the clients of its version cannot decode.',
  },
} as const satisfies Chapter;
