// Rollback: restores the template of an earlier revision, and changes nothing else in the Deployment.
import type { Operation } from '../../matrix/api/index.js';
import { clientError, equal, holds, oneOf, Prerequisite, status, statusObject, success } from '../client/expect.js';
import { at, brief, type JsonObject } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { whenControlled } from '../objects/controllers.js';
import {
  controlled,
  createSeparately,
  hasRevision,
  historyOf,
  imageOf,
  revisionAnnotation,
} from '../objects/revisions.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { sendBody } from '../objects/writes.js';
import { group } from '../run/group.js';

const first = 'registry.example/conformance:1';
const second = 'registry.example/conformance:2';
const third = 'registry.example/conformance:3';

/** Changes the Deployment and waits until its controller has written the revision. Returns false if it does not. */
async function revise(sandbox: Sandbox, made: CreatedObject, spec: JsonObject, image: string): Promise<boolean> {
  const path = pathTo(made.resource, 'patch', made.namespace, made.name);
  const template = { spec: { containers: [{ name: 'main', image }] } };
  await sandbox.attempt('change the template', 'PATCH', path, { spec: { ...spec, template } });
  return hasRevision(sandbox, made, image);
}

/** Creates a Deployment with three revisions. Fields outside of its template change with each revision. */
async function makeRevised(sandbox: Sandbox, operation: Operation, spec: JsonObject = {}): Promise<CreatedObject> {
  const made = await createSeparately(sandbox, resourceOf(operation));
  await hasRevision(sandbox, made, first);
  await revise(sandbox, made, { minReadySeconds: 2, ...spec }, second);
  if (!(await revise(sandbox, made, { minReadySeconds: 3 }, third))) await controlled(sandbox, made);
  return made;
}

const rollbackBody = (name: string, revision: number): JsonObject => ({
  apiVersion: 'extensions/v1beta1',
  kind: 'DeploymentRollback',
  name,
  rollbackTo: { revision },
});

/** Rolls back and waits, because a controller may do the work asynchronously. */
async function rollBack(sandbox: Sandbox, path: string, made: CreatedObject, body: JsonObject, image: string) {
  const reply = await sendBody(sandbox, 'POST', path, body);
  if (reply.status > 299) return { reply, after: await sandbox.current(made) };
  const after = await whenControlled(
    sandbox,
    () => sandbox.current(made),
    (object) => imageOf(object) === image && at(object, 'spec', 'rollbackTo') === undefined,
  );
  return { reply, after };
}

function templateKept({ reply, after }: { readonly reply: Reply; readonly after: JsonObject | undefined }): void {
  equal(imageOf(after), third, `${reply.request}: the image of the template afterwards`);
}

export const rollbackGroups = [
  group({
    subjects: 'rollbacks',
    setup: async ({ operation }, { sandbox }) => {
      const made = await makeRevised(sandbox, operation);
      const path = fill(operation.path, made.namespace, made.name);
      const history = await historyOf(sandbox, made);
      const before = await sandbox.current(made);
      const updatedAnnotations = { 'kube-api-conformance/why': 'a check' };
      const toFirst = { ...rollbackBody(made.name, 1), updatedAnnotations };
      const revision = await rollBack(sandbox, path, made, toFirst, first);
      // Waits until the first template is the newest revision: only then is the third template the previous one.
      if (imageOf(revision.after) === first) {
        await whenControlled(
          sandbox,
          () => historyOf(sandbox, made),
          (now) => now[first] !== history[first],
        );
      }
      const previous = await rollBack(sandbox, path, made, rollbackBody(made.name, 0), third);
      return { history, before, revision, previous };
    },
    checks: {
      rollback: ({ revision: { reply } }) => success(reply),
      'rollback-effect': ({ revision: { reply, after } }) => {
        success(reply);
        oneOf(imageOf(after), [first, second], `${reply.request}, then read: the image of an earlier template`);
      },
      'rollback-revision': ({ revision: { reply, after } }) => {
        success(reply);
        equal(imageOf(after), first, `${reply.request} to revision 1, then read: the image of the template`);
      },
      'rollback-previous': ({ previous: { reply, after } }) => {
        success(reply);
        equal(imageOf(after), third, `${reply.request} to revision 0, then read: the image of the template`);
      },
      'rollback-keeps-rest': ({ before, revision: { reply, after } }) => {
        success(reply);
        const others = (object: JsonObject | undefined): JsonObject => {
          const { template: _, ...rest } = (at(object, 'spec') ?? {}) as JsonObject;
          return rest;
        };
        holds(others(after), others(before), `${reply.request} to revision 1, then read: the spec beside the template`);
      },
      'rollback-history': ({ history }) => {
        for (const [image, revision] of Object.entries({ [first]: '1', [second]: '2', [third]: '3' })) {
          equal(history[image], revision, `${revisionAnnotation} of the ReplicaSet with the image ${image}`);
        }
      },
      'rollback-annotations': ({ revision: { reply, after } }) => {
        success(reply);
        const written = at(after, 'metadata', 'annotations', 'kube-api-conformance/why');
        equal(written, 'a check', `${reply.request}, then read: the annotation`);
      },
    },
  }),
  group({
    subjects: 'limitedHistories',
    setup: async ({ operation }, { sandbox }) => {
      const made = await makeRevised(sandbox, operation, { revisionHistoryLimit: 1 });
      const history = await whenControlled(
        sandbox,
        () => historyOf(sandbox, made),
        (now) => Object.keys(now).length <= 2,
      );
      return { history };
    },
    checks: {
      'rollback-history-limit': ({ history }) => {
        const kept = brief(Object.keys(history).sort());
        equal(kept, brief([second, third]), 'the images of the revisions that a limit of 1 leaves');
      },
    },
  }),
  group({
    subjects: 'refusedRollbacks',
    setup: async ({ operation }, { sandbox }) => {
      const made = await makeRevised(sandbox, operation);
      const image = imageOf(await sandbox.current(made));
      if (image !== third) throw new Prerequisite(`the template has the image ${brief(image)} before the rollback`);
      const post = async (body: JsonObject, name = made.name) => {
        const reply = await sendBody(sandbox, 'POST', fill(operation.path, made.namespace, name), body);
        return { reply, after: await sandbox.current(made) };
      };
      const absent = sandbox.name();
      const { name: _, ...nameless } = rollbackBody(made.name, 1);
      return {
        unknown: await post(rollbackBody(made.name, 99)),
        negative: await post(rollbackBody(made.name, -1)),
        otherName: await post(rollbackBody(absent, 1)),
        noName: await post(nameless),
        absent: await post(rollbackBody(absent, 1), absent),
      };
    },
    checks: {
      'rollback-unknown-revision': ({ unknown }) => {
        // One real server accepts the rollback and detects the error later.
        if (unknown.reply.status > 299) clientError(unknown.reply);
        templateKept(unknown);
      },
      'rollback-negative': ({ negative }) => {
        status(negative.reply, 422);
        statusObject(negative.reply, 'Invalid');
        templateKept(negative);
      },
      'rollback-name-mismatch': ({ otherName, noName }) => {
        for (const refused of [otherName, noName]) {
          clientError(refused.reply);
          templateKept(refused);
        }
      },
      'rollback-absent': ({ absent }) => {
        status(absent.reply, 404);
        statusObject(absent.reply, 'NotFound');
        templateKept(absent);
      },
    },
  }),
];
