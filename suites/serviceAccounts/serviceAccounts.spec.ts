// Service accounts: each namespace has one, each account has a Secret with a token, and each pod runs as one.
import { equal, fail } from '../client/expect.js';
import { pathTo } from '../client/paths.js';
import { eventually } from '../objects/eventually.js';
import { pods } from '../objects/related.js';
import { accepted, identified } from '../run/acceptance.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { runningPod, shellImage } from '../run/runningPods.js';
import { mountGroups } from './mounts.js';
import { podGroups } from './pods.js';
import { endGroups } from './revocation.js';
import { secretGroups } from './secrets.js';
import { tokenGroups } from './tokens.js';

const processGroups = [
  group({
    subjects: 'podTokens',
    setup: async (_, context) => {
      const { client, run, sandbox } = context;
      const file = `/var/run/secrets/${run.target.domains.secretType}/serviceaccount/token`;
      const command = ['sh', '-c', `cat ${file}; echo; sleep 3600`];
      const containers = [{ name: 'main', image: shellImage(context), command }];
      const pod = await runningPod(context, { containers });
      const path = `${pathTo(pods, 'log', pod.namespace, pod.name)}?container=main`;
      const log = await eventually(
        () => client.send({ method: 'GET', path }),
        ({ bytes }) => bytes.length > 0,
        sandbox.timeout,
      );
      const token = log.bytes.toString().trim();
      client.redactor.add(token);
      const call = { method: 'GET', path: '/api/v1/namespaces', as: { token } };
      const reply = await identified(context, { token }, await client.send(call));
      return { file, log: log.status, token, reply };
    },
    checks: {
      'pod-token': ({ file, log, token, reply }) => {
        equal(log, 200, 'the log of a process that reads its token: status');
        if (token.split('.').length !== 3) fail(`${file}: a process in the pod reads no JSON Web Token there`);
        accepted(reply);
      },
    },
  }),
];

defineChapter('serviceAccounts', [
  ...podGroups,
  ...secretGroups,
  ...tokenGroups,
  ...endGroups,
  ...mountGroups,
  ...processGroups,
]);
