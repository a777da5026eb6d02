// Servers that break versions: of an object that two groups serve, and of every prefix.
import { fault, faultsOf } from '../testing/faults/wire/fault.js';
import { parsed, set } from '../testing/faults/wire/objects.js';
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
  fault('reports the body of another version as taken', 'other-body', [replace('POST', isError, ok())]),
]);
