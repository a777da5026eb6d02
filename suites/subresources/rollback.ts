// Rollback: the template of an earlier revision comes back, and nothing else of the Deployment changes.
import type { Operation, Resource } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { eventually } from '../support/eventually.js';
import {
  clientError,
  equal,
  fail,
  holds,
  oneOf,
  Prerequisite,
  status,
  statusObject,
  success,
} from '../support/expect.js';
import { at, brief, type JsonObject } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import type { Reply } from '../support/reply.js';
import { controlled, hasRevision, historyOf, imageOf, makeApart, revisionAnnotation } from '../support/revisions.js';
import { fill, type Made, pathTo, type Scope } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { sendBody } from '../support/writes.js';

const first = 'registry.example/conformance:1';
const second = 'registry.example/conformance:2';
const third = 'registry.example/conformance:3';

const deploymentOf = ({ resource }: Operation): Resource => resource ?? fail('a rollback without a resource');

/** Changes the Deployment and waits until its controller has written the revision down; false where none does. */
async function revise(scope: Scope, made: Made, spec: JsonObject, image: string): Promise<boolean> {
  const path = pathTo(made.resource, 'patch', made.namespace, made.name);
  const template = { spec: { containers: [{ name: 'main', image }] } };
  await scope.attempt('change the template', 'PATCH', path, { spec: { ...spec, template } });
  return hasRevision(scope, made, image);
}

/** A Deployment with three revisions; what is not its template changed with each of them. */
async function makeRevised(scope: Scope, operation: Operation, spec: JsonObject = {}): Promise<Made> {
  const made = await makeApart(scope, deploymentOf(operation));
  await hasRevision(scope, made, first);
  await revise(scope, made, { minReadySeconds: 2, ...spec }, second);
  if (!(await revise(scope, made, { minReadySeconds: 3 }, third))) await controlled(scope, made);
  return made;
}

const rollbackBody = (name: string, revision: number): JsonObject => ({
  apiVersion: 'extensions/v1beta1',
  kind: 'DeploymentRollback',
  name,
  rollbackTo: { revision },
});

/** Rolls back and waits, as a controller may do it in its own time. */
async function rollBack(scope: Scope, path: string, made: Made, body: JsonObject, image: string) {
  const reply = await sendBody(scope, 'POST', path, body);
  if (reply.status > 299) return { reply, after: await scope.current(made) };
  const after = await eventually(
    () => scope.current(made),
    (object) => imageOf(object) === image && at(object, 'spec', 'rollbackTo') === undefined,
  );
  return { reply, after };
}

export const rollbackPerformers = {
  rollbacks: async ({ operation }: OperationSubject, { scope }: Context) => {
    const made = await makeRevised(scope, operation);
    const path = fill(operation.path, made.namespace, made.name);
    const history = await historyOf(scope, made);
    const before = await scope.current(made);
    const updatedAnnotations = { 'kube-api-conformance/why': 'a check' };
    const toFirst = { ...rollbackBody(made.name, 1), updatedAnnotations };
    const revision = await rollBack(scope, path, made, toFirst, first);
    // Its template is the newest revision then; only after that, the one before is the third.
    if (imageOf(revision.after) === first) {
      await eventually(
        () => historyOf(scope, made),
        (now) => now[first] !== history[first],
      );
    }
    const previous = await rollBack(scope, path, made, rollbackBody(made.name, 0), third);
    return { history, before, revision, previous };
  },
  limitedHistories: async ({ operation }: OperationSubject, { scope }: Context) => {
    const made = await makeRevised(scope, operation, { revisionHistoryLimit: 1 });
    const history = await eventually(
      () => historyOf(scope, made),
      (now) => Object.keys(now).length <= 2,
    );
    return { history };
  },
  refusedRollbacks: async ({ operation }: OperationSubject, { scope }: Context) => {
    const made = await makeRevised(scope, operation);
    const image = imageOf(await scope.current(made));
    if (image !== third) throw new Prerequisite(`the template has the image ${brief(image)} before the rollback`);
    const post = async (body: JsonObject, name = made.name) => {
      const reply = await sendBody(scope, 'POST', fill(operation.path, made.namespace, name), body);
      return { reply, after: await scope.current(made) };
    };
    const absent = scope.name();
    const { name: _, ...nameless } = rollbackBody(made.name, 1);
    return {
      unknown: await post(rollbackBody(made.name, 99)),
      negative: await post(rollbackBody(made.name, -1)),
      otherName: await post(rollbackBody(absent, 1)),
      noName: await post(nameless),
      absent: await post(rollbackBody(absent, 1), absent),
    };
  },
};

type Performers = typeof rollbackPerformers;
type Rolled = Recorded<Performers['rollbacks']>;
type Refused = Recorded<Performers['refusedRollbacks']>;

function templateKept({ reply, after }: { readonly reply: Reply; readonly after: JsonObject | undefined }): void {
  equal(imageOf(after), third, `${reply.request}: the image of the template afterwards`);
}

export const rollbackChecks = {
  rollback: ({ revision: { reply } }: Rolled) => success(reply),
  'rollback-effect': ({ revision: { reply, after } }: Rolled) => {
    success(reply);
    oneOf(imageOf(after), [first, second], `${reply.request}, then read: the image of an earlier template`);
  },
  'rollback-revision': ({ revision: { reply, after } }: Rolled) => {
    success(reply);
    equal(imageOf(after), first, `${reply.request} to revision 1, then read: the image of the template`);
  },
  'rollback-previous': ({ previous: { reply, after } }: Rolled) => {
    success(reply);
    equal(imageOf(after), third, `${reply.request} to revision 0, then read: the image of the template`);
  },
  'rollback-keeps-rest': ({ before, revision: { reply, after } }: Rolled) => {
    success(reply);
    const others = (object: JsonObject | undefined): JsonObject => {
      const { template: _, ...rest } = (at(object, 'spec') ?? {}) as JsonObject;
      return rest;
    };
    holds(others(after), others(before), `${reply.request} to revision 1, then read: the spec beside the template`);
  },
  'rollback-history': ({ history }: Rolled) => {
    for (const [image, revision] of Object.entries({ [first]: '1', [second]: '2', [third]: '3' })) {
      equal(history[image], revision, `${revisionAnnotation} of the ReplicaSet with the image ${image}`);
    }
  },
  'rollback-annotations': ({ revision: { reply, after } }: Rolled) => {
    success(reply);
    const written = at(after, 'metadata', 'annotations', 'kube-api-conformance/why');
    equal(written, 'a check', `${reply.request}, then read: the annotation`);
  },
  'rollback-unknown-revision': ({ unknown }: Refused) => {
    // One real server accepts it and finds out afterwards.
    if (unknown.reply.status > 299) clientError(unknown.reply);
    templateKept(unknown);
  },
  'rollback-negative': ({ negative }: Refused) => {
    status(negative.reply, 422);
    statusObject(negative.reply, 'Invalid');
    templateKept(negative);
  },
  'rollback-name-mismatch': ({ otherName, noName }: Refused) => {
    for (const refused of [otherName, noName]) {
      clientError(refused.reply);
      templateKept(refused);
    }
  },
  'rollback-absent': ({ absent }: Refused) => {
    status(absent.reply, 404);
    statusObject(absent.reply, 'NotFound');
    templateKept(absent);
  },
  'rollback-history-limit': ({ history }: Recorded<Performers['limitedHistories']>) => {
    const kept = brief(Object.keys(history).sort());
    equal(kept, brief([second, third]), 'the images of the revisions that a limit of 1 leaves');
  },
};
