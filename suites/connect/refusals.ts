// Requests that are refused before a connection is made.

import { clientError, fail, status, statusObject, Unchecked } from '../client/expect.js';
import { at } from '../client/json.js';
import { Reply } from '../client/reply.js';
import { pods } from '../objects/related.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import type { RunningPod } from '../run/runningPods.js';
import { argv, outputs, pathOn } from './connections.js';
import { counter, inMain, pair, single, web } from './containers.js';
import { withCommand } from './remoteCommand.js';
import { spdy } from './transports.js';

const query = ({ verb }: OperationSubject['operation']): string =>
  verb === 'exec' ? `${outputs}&${argv('true')}` : verb === 'portforward' ? 'ports=8080' : outputs;

/** Asks for a connection over SPDY. Returns the refusal; undefined if the connection is made. */
async function refusal(
  { operation }: OperationSubject,
  { client }: Context,
  pod: Pick<RunningPod, 'namespace' | 'name'>,
  query: string,
) {
  const path = pathOn(operation, pod, query);
  return await withCommand(client, { method: operation.method, path, transport: spdy }, async (opened) => ({
    what: `${operation.method} ${path}`,
    reply: opened instanceof Reply ? opened : undefined,
    trouble: opened instanceof Reply ? '' : await errorText(opened),
  }));
}

/** Returns the first content of the error stream. */
async function errorText({
  until,
  error,
}: {
  until(settled: () => boolean): Promise<boolean>;
  error: { readonly text: string } | undefined;
}) {
  await until(() => (error?.text ?? '') !== '');
  return error?.text ?? '';
}

type Refused = Recorded<typeof refusal>;

function refused({ what, reply }: Refused): Reply {
  return reply ?? fail(`${what}: the connection was made`);
}

async function stray(subject: OperationSubject, context: Context) {
  const { sandbox } = context;
  const { name, namespace = '' } = await sandbox.make(pods);
  const absent = { name, namespace: await sandbox.namespace('other') };
  return {
    unscheduled: await refusal(subject, context, { name, namespace }, query(subject.operation)),
    absent: await refusal(subject, context, absent, query(subject.operation)),
  };
}

async function plain({ operation }: OperationSubject, context: Context) {
  const pod = await { exec: single, attach: counter, portforward: web }[operation.verb as 'exec'](context);
  const asked = operation.verb === 'portforward' ? query(operation) : `${inMain}&${query(operation)}`;
  return context.client.send({ method: operation.method, path: pathOn(operation, pod, asked) });
}

async function mistaken(subject: OperationSubject, context: Context) {
  const [one, two] = [await single(context), await pair(context)];
  return {
    several: await refusal(subject, context, two, query(subject.operation)),
    unknown: await refusal(subject, context, one, `container=nobody&${query(subject.operation)}`),
    empty: await refusal(subject, context, one, `${inMain}&${outputs}`),
  };
}

/** The words of admission about a Pod that it does not find. */
const absenceByAdmission = /^pods "([^"]+)" is forbidden: pods "\1" not found$/;

export const refusalGroups = [
  group({
    subjects: 'strayConnects',
    setup: stray,
    checks: {
      unscheduled: ({ unscheduled }) => {
        const reply = refused(unscheduled);
        status(reply, 400);
        statusObject(reply, 'BadRequest');
      },
      absent: ({ absent }) => {
        const reply = refused(absent);
        if (reply.status === 403 && absenceByAdmission.test(String(at(reply.tryValue(), 'message'))))
          throw new Unchecked('skipped', 'admission looks at the Pod first, as the plug-in DenyEscalatingExec does');
        status(reply, 404);
        statusObject(reply, 'NotFound');
      },
    },
  }),
  group({
    subjects: 'plainConnects',
    setup: plain,
    checks: { 'without-upgrade': clientError },
  }),
  group({
    subjects: 'refusedExecs',
    setup: mistaken,
    checks: {
      'exec-container-required': ({ several }) => {
        const reply = refused(several);
        status(reply, 400);
        for (const name of ['first', 'second']) {
          if (!reply.bytes.includes(name)) fail(`${several.what}: container ${name} is not named: ${reply.excerpt()}`);
        }
      },
      'exec-container-unknown': ({ unknown }) => status(refused(unknown), 400),
      'exec-without-command': ({ empty }) => {
        if (empty.reply !== undefined) clientErrorOrServer(empty.reply);
        else if (!empty.trouble.includes('Failure')) fail(`${empty.what}: no error was told: ${empty.trouble}`);
      },
    },
  }),
];

/** Accepts errors of the server too, because a container runtime may be the first to detect the missing command. */
function clientErrorOrServer(reply: Reply): void {
  if (reply.status < 400) fail(`${reply.request}: expected an error, got ${reply.status}`);
}
