// The field numbers: wide objects, read and written by the suite's own list of numbers.
import { defined } from '../../matrix/api/index.js';
import { fail, holds, Prerequisite, status, success } from '../client/expect.js';
import { isObject, type Json, type JsonObject } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import { sameObject } from '../objects/sameness.js';
import type { CreatedObject } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { readTwice } from './objects.js';
import { richnessOf } from './rich.js';
import { sendProtobuf } from './sending.js';
import { fieldsOf, keptOf, widthOf } from './wide.js';

interface MadeWide {
  readonly made: CreatedObject;
  readonly change: JsonObject;
}

/** Creates an object in JSON with as many fields as the target accepts: other versions refuse some fields. */
async function makeWide({ operation }: OperationSubject, { sandbox }: Context): Promise<MadeWide> {
  const resource = resourceOf(operation);
  const [wide, rich] = [widthOf(resource), richnessOf(resource)];
  try {
    return { made: await sandbox.make(resource, { change: wide }), change: wide };
  } catch (error) {
    if (!(error instanceof Prerequisite)) throw error;
    return { made: await sandbox.make(resource, { change: rich }), change: rich };
  }
}

async function numbered(subject: OperationSubject, context: Context) {
  const { client, sandbox } = context;
  const { made, change } = await makeWide(subject, context);
  const { resource, namespace } = made;
  const read = await readTwice(context, pathTo(resource, 'read', namespace, made.name));
  const name = sandbox.name(resource);
  const sent = sandbox.body(resource, name, namespace, { change });
  const reply = await sendProtobuf(client, 'POST', pathTo(resource, 'create', namespace), sent);
  const after = await sandbox.current({ resource, name, ...defined({ namespace }) });
  return { ...read, sent, reply, after, sentAsJson: made.sent };
}

/** Returns the expected fields of the object that was sent: those that the target keeps when sent as JSON. */
function expectedOf({ json, sent, sentAsJson }: Recorded<typeof numbered>): JsonObject {
  const { metadata, ...rest } = sent;
  const { metadata: _, ...restAsJson } = sentAsJson;
  const kept = keptOf(restAsJson, json.value() as Json);
  return { ...(isObject(kept) ? (fieldsOf(kept, rest) as JsonObject) : rest), metadata };
}

export const numberGroups = [
  group({
    subjects: 'protobufNumbers',
    setup: numbered,
    checks: {
      'field-numbers': (record) => {
        const { json, protobuf, reply, after } = record;
        status(protobuf, 200);
        sameObject(
          decoded(() => protobuf.value(), protobuf.request),
          json.value(),
          `${protobuf.request}, by the numbers`,
        );
        success(reply);
        holds(after, expectedOf(record), `${reply.request} by the numbers, then read as JSON`);
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
