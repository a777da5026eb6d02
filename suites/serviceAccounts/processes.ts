// The token that a process in a pod reads: what its log says of the file is shown to the target.
import type { Subject } from '../../matrix/requirements/index.js';
import { letIn, told } from '../support/acceptance.js';
import { eventually } from '../support/eventually.js';
import { equal, fail } from '../support/expect.js';
import { shellImage } from '../support/images.js';
import type { Recorded } from '../support/recorded.js';
import { pods } from '../support/related.js';
import { runningPod } from '../support/runningPods.js';
import { pathTo } from '../support/scope.js';
import type { Context } from '../support/worker.js';

export const processPerformers = {
  podTokens: async (_: Subject, context: Context) => {
    const { client, run } = context;
    const file = `/var/run/secrets/${run.target.domains.secretType}/serviceaccount/token`;
    const command = ['sh', '-c', `cat ${file}; echo; sleep 3600`];
    const containers = [{ name: 'main', image: shellImage(context), command }];
    const pod = await runningPod(context, { containers });
    const path = pathTo(pods, 'log', pod.namespace, pod.name);
    const log = await eventually(
      () => client.send({ method: 'GET', path }),
      ({ bytes }) => bytes.length > 0,
    );
    const token = log.bytes.toString().trim();
    client.redactor.add(token);
    const call = { method: 'GET', path: '/api/v1/namespaces', as: { token } };
    const reply = await told(context, { token }, await client.send(call));
    return { file, log: log.status, token, reply };
  },
};

export const processChecks = {
  'pod-token': ({ file, log, token, reply }: Recorded<(typeof processPerformers)['podTokens']>) => {
    equal(log, 200, 'the log of a process that reads its token: status');
    if (token.split('.').length !== 3) fail(`${file}: a process in the pod reads no JSON Web Token there`);
    letIn(reply);
  },
};
