// Servers that break versions: of an object that two groups serve, and of every prefix.
import { fault, faultsOf } from '../testing/faults/wire/fault.js';
import { change, drop, parsed, set } from '../testing/faults/wire/objects.js';
import { isError, replace, shown, shownText } from '../testing/faults/wire/replies.js';
import { every, failure, ok } from '../testing/faults/wire/requests.js';
import { told } from '../testing/faults/wire/watches.js';

const inExtensions = /^GET \/apis\/extensions\/v1beta1\/(namespaces\/[^/]+\/)?(jobs|horizontalpodautoscalers)/;

export const faults = faultsOf('versions', [
  fault('shows objects in a version that was not asked for', 'group-version', [shown('GET', set('apiVersion', 'apps/v1'))]),
  fault(
    'does not find in one group what was made in the other',
    `autoscaler-fields autoscaler-shared group-version job-fields job-shared one-identity status-through write-through in versions.`,
    [replace(inExtensions, 200, ({ body }) => (parsed(body).items ? ok({ ...parsed(body), items: [] }) : failure(404)))],
  ),
  fault('shows the fields of one version in both', 'autoscaler-fields job-fields write-through in versions.', [
    shownText(/^GET (?!.*\/watch\/)/, (body) =>
      body.replaceAll('"cpuUtilization":', '"targetCPUUtilizationPercentage":').replaceAll('"autoSelector":', '"manualSelector":'),
    ),
  ]),
  fault('keeps in one group what was deleted in the other', 'one-life', [replace('GET', 404, ok({ metadata: {} }))]),
  fault('streams every version as one', 'watched', [told(every, set('object.apiVersion', 'batch/v1'))]),
  fault('shows in another version the labels of before a replace', 'write-through in versions.write', [
    shown(inExtensions, drop('metadata.labels.kube-api-conformance/changed')),
  ]),
  fault('cuts annotations in another version', 'write-through in versions.write', [
    shown(
      inExtensions,
      change('metadata.annotations.*', (value) => String(value).slice(0, 1_000)),
    ),
  ]),
  fault('counts generations in each version', 'one-identity write-through in versions.', [
    shown(/^GET \/apis\/(autoscaling|batch)\/v1\/namespaces\/[^/]+\/[^/]+\/[^/?]+$/, set('metadata.generation', 77)),
  ]),
  fault('reports the body of another version as taken', 'other-body', [replace('POST', isError, ok())]),
]);
