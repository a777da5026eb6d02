// The token that a process in a pod reads: the check takes it from the log and sends it to the target.
import type { Subject } from '../../matrix/requirements/index.js';
import { equal, fail } from '../support/http/expect.js';
import { pathTo } from '../support/http/paths.js';
import { eventually } from '../support/objects/eventually.js';
import { pods } from '../support/objects/related.js';
import { runningPod, shellImage } from '../support/objects/runningPods.js';
import { accepted, identified } from '../support/run/acceptance.js';
import type { Recorded } from '../support/run/group.js';
import type { Context } from '../support/run/worker.js';

export const processSetups = {
  podTokens: async (_: Subject, context: Context) => {
    const { client, run, sandbox } = context;
    const file = `/var/run/secrets/${run.target.domains.secretType}/serviceaccount/token`;
    const command = ['sh', '-c', `cat ${file}; echo; sleep 3600`];
    const containers = [{ name: 'main', image: shellImage(context), command }];
    const pod = await runningPod(context, { containers });
    const path = pathTo(pods, 'log', pod.namespace, pod.name);
    const log = await eventually(
      () => client.send({ method: 'GET', path }),
      ({ bytes }) => bytes.length > 0,
      sandbox.patience,
    );
    const token = log.bytes.toString().trim();
    client.redactor.add(token);
    const call = { method: 'GET', path: '/api/v1/namespaces', as: { token } };
    const reply = await identified(context, { token }, await client.send(call));
    return { file, log: log.status, token, reply };
  },
};

export const processChecks = {
  'pod-token': ({ file, log, token, reply }: Recorded<(typeof processSetups)['podTokens']>) => {
    equal(log, 200, 'the log of a process that reads its token: status');
    if (token.split('.').length !== 3) fail(`${file}: a process in the pod reads no JSON Web Token there`);
    accepted(reply);
  },
};
