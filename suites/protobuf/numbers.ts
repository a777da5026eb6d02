// The numbers of the fields: wide objects are read and written by the suite's own list of numbers.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { fail, holds, Prerequisite, status, success } from '../support/expect.js';
import { isObject, type Json, type JsonObject } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import { type Made, pathTo } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { readTwice } from './objects.js';
import { richnessOf } from './rich.js';
import { sameObject } from './sameness.js';
import { sendProtobuf } from './sending.js';
import { fieldsOf, keptOf, widthOf } from './wide.js';

interface MadeWide {
  readonly made: Made;
  readonly change: JsonObject;
}

/** Creates an object with as many fields as the target takes, in JSON; servers of other ages refuse some of them. */
async function makeWide({ operation }: OperationSubject, { scope }: Context): Promise<MadeWide> {
  const resource = operation.resource ?? fail('a create without a resource');
  const [wide, rich] = [widthOf(resource), richnessOf(resource)];
  try {
    return { made: await scope.make(resource, { change: wide }), change: wide };
  } catch (error) {
    if (!(error instanceof Prerequisite)) throw error;
    return { made: await scope.make(resource, { change: rich }), change: rich };
  }
}

async function numbered(subject: OperationSubject, context: Context) {
  const { client, scope } = context;
  const { made, change } = await makeWide(subject, context);
  const { resource, namespace } = made;
  const read = await readTwice(context, pathTo(resource, 'read', namespace, made.name));
  const name = scope.name(resource);
  const sent = scope.body(resource, name, namespace, { change });
  const reply = await sendProtobuf(client, 'POST', pathTo(resource, 'create', namespace), sent);
  const after = await scope.current({ resource, name, ...(namespace === undefined ? {} : { namespace }) });
  return { ...read, sent, reply, after, sentAsJson: made.sent };
}

export const numberPerformers = { protobufNumbers: numbered };

/** What is to be read of the object that was sent: as much as the target keeps of the same one sent as JSON. */
function expectedOf({ json, sent, sentAsJson }: Recorded<typeof numbered>): JsonObject {
  const { metadata, ...rest } = sent;
  const { metadata: _, ...restAsJson } = sentAsJson;
  const kept = keptOf(restAsJson, json.value() as Json);
  return { ...(isObject(kept) ? (fieldsOf(kept, rest) as JsonObject) : rest), metadata };
}

export const numberChecks = {
  'field-numbers': (record: Recorded<typeof numbered>) => {
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
};

function decoded(value: () => unknown, what: string): unknown {
  try {
    return value();
  } catch (error) {
    return fail(`${what}: a field is of another kind than its number says: ${(error as Error).message}`);
  }
}
