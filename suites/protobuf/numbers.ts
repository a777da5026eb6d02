// The field numbers: objects with every field, read and written by the suite's own list of numbers.
import { defined } from '../../matrix/api/index.js';
import { fail, holds, Prerequisite, status, success } from '../client/expect.js';
import { pathTo, resourceOf } from '../client/paths.js';
import { sameObject } from '../objects/sameness.js';
import { richnessOf, wholenessOf } from '../objects/samples/index.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { readTwice } from './objects.js';
import { sendProtobuf } from './sending.js';

/** Creates an object in JSON with every field: as many as the policies of the target let it have. */
async function makeWhole({ operation }: OperationSubject, { sandbox }: Context) {
  const resource = resourceOf(operation);
  const [whole, rich] = [wholenessOf(resource), richnessOf(resource)];
  try {
    return { made: await sandbox.make(resource, { change: whole }), change: whole };
  } catch (error) {
    if (!(error instanceof Prerequisite)) throw error;
    return { made: await sandbox.make(resource, { change: rich }), change: rich };
  }
}

async function numbered(subject: OperationSubject, context: Context) {
  const { client, sandbox } = context;
  const { made, change } = await makeWhole(subject, context);
  const { resource, namespace } = made;
  const read = await readTwice(context, pathTo(resource, 'read', namespace, made.name));
  const name = sandbox.name(resource);
  const sent = sandbox.body(resource, name, namespace, { change });
  const reply = await sendProtobuf(client, 'POST', pathTo(resource, 'create', namespace), sent);
  const after = await sandbox.current({ resource, name, ...defined({ namespace }) });
  return { ...read, sent, reply, after };
}

export const numberGroups = [
  group({
    subjects: 'protobufNumbers',
    setup: numbered,
    checks: {
      'field-numbers': ({ json, protobuf, sent, reply, after }) => {
        status(protobuf, 200);
        sameObject(
          decoded(() => protobuf.value(), protobuf.request),
          json.value(),
          `${protobuf.request}, by the numbers`,
        );
        success(reply);
        holds(after, sent, `${reply.request} by the numbers, then read as JSON`);
      },
    },
  }),
];

function decoded(value: () => unknown, what: string): unknown {
  try {
    return value();
  } catch (error) {
    return fail(`${what}: a field is of another kind than its number says: ${(error as Error).message}`);
  }
}
