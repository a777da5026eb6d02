// Servers that break the versions: of an object that two groups show, and of every prefix.
import { at } from '../../support/json.js';
import { answering, eachEvent, type Fault, failure, type Passing, reply } from './parts.js';

const inExtensions = ({ path }: Passing): boolean =>
  /^\/apis\/extensions\/v1beta1\/(namespaces\/[^/]+\/)?(jobs|horizontalpodautoscalers)/.test(path);

export const versionFaults: readonly Fault[] = [
  {
    name: 'shows objects in a version that was not asked for',
    grep: 'versions.group-version',
    fails: ['versions.group-version'],
    reply: answering((body, { method }) => (method === 'GET' ? { ...body, apiVersion: 'apps/v1' } : body)),
  },
  {
    name: 'does not find in one group what was made in the other',
    grep: 'versions.',
    fails: [
      'versions.autoscaler-fields',
      'versions.autoscaler-shared',
      'versions.group-version',
      'versions.job-fields',
      'versions.job-shared',
      'versions.one-identity',
      'versions.status-through',
      'versions.write-through',
    ],
    reply: (returning, passing) => {
      if (passing.method !== 'GET' || !inExtensions(passing) || returning.status !== 200) return returning;
      const body: unknown = JSON.parse(returning.body);
      return at(body, 'items') === undefined ? failure(404, 'NotFound') : reply(200, { ...Object(body), items: [] });
    },
  },
  {
    name: 'shows the fields of one version in both',
    grep: 'versions.',
    fails: ['versions.autoscaler-fields', 'versions.job-fields', 'versions.write-through'],
    reply: (returning, { method, path }) => {
      if (method !== 'GET' || path.includes('/watch/')) return returning;
      const body = returning.body
        .replaceAll('"cpuUtilization":', '"targetCPUUtilizationPercentage":')
        .replaceAll('"autoSelector":', '"manualSelector":');
      return { ...returning, body };
    },
  },
  {
    name: 'keeps in one group what was deleted in the other',
    grep: 'versions.one-life',
    fails: ['versions.one-life'],
    reply: (returning, { method }) =>
      method === 'GET' && returning.status === 404 ? reply(200, { metadata: {} }) : returning,
  },
  {
    name: 'streams every version as one',
    grep: 'versions.watched',
    fails: ['versions.watched'],
    watch: eachEvent(({ type, object }) => ({ type, object: { ...object, apiVersion: 'batch/v1' } })),
  },
  {
    name: 'reports the body of another version as taken',
    grep: 'versions.other-body',
    fails: ['versions.other-body'],
    reply: (returning, { method }) => (method === 'POST' && returning.status > 399 ? reply(200, {}) : returning),
  },
];
