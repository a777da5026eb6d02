// A replace that leaves out all labels, all annotations, all owners, and a whole field of the kind.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import { fail, success } from '../client/expect.js';
import { at, isObject, type JsonObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { mergedWithout } from '../objects/effects/index.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';

/** The kinds whose field `data` may be left out. */
const withData = new Set(['core/configmaps', 'core/secrets']);

const bareMetadata = { labels: undefined, annotations: undefined, ownerReferences: undefined };

/** A replace that left out what it could, and what it should have removed but did not. */
export interface BareReplace {
  readonly reply: Reply;
  readonly kept: readonly string[];
  /** Set for a kind that only the target knows: a plug-in may refuse to lose its own annotations. */
  readonly mayBeRefused: boolean;
}

/** Replaces an object by its current state without those members. */
export async function replaceBare(sandbox: Sandbox, made: CreatedObject): Promise<BareReplace> {
  const { resource } = made;
  const bare = {
    metadata: bareMetadata,
    ...(withData.has(resourceId(resource)) && { data: undefined }),
  };
  const before = (await sandbox.current(made)) ?? made.object;
  const reply = await sandbox.put({ ...made, object: before }, (object) => mergedWithout(object, bare));
  const after = writtenIn(resource, (await sandbox.current(made)) ?? {});
  const kept = writtenIn(resource, before).filter((part) => after.includes(part));
  return { reply, kept, mayBeRefused: resource.found !== undefined };
}

/** Throws Failure if something that the suite wrote is still there. */
export function leavesOut({ reply, kept, mayBeRefused }: BareReplace): void {
  if (mayBeRefused && reply.status >= 400 && reply.status < 500) return;
  success(reply);
  if (kept.length > 0) fail(`${reply.request}: the body left out, and a read still shows: ${kept.join(', ')}`);
}

/** Returns what the suite wrote to those members, in words: servers and their plug-ins may add keys of their own. */
function writtenIn(resource: Resource, object: JsonObject): string[] {
  const keys = (...path: readonly string[]): string[] => {
    const map = at(object, ...path);
    return isObject(map) ? Object.keys(map).map((key) => `${path.join('.')} ${key}`) : [];
  };
  const own = [...keys('metadata', 'labels'), ...keys('metadata', 'annotations')].filter((key) =>
    key.includes(' kube-api-conformance/'),
  );
  const owners = at(object, 'metadata', 'ownerReferences');
  return [
    ...own,
    ...(Array.isArray(owners) ? owners.map((owner) => `the owner ${String(at(owner, 'uid'))}`) : []),
    ...(withData.has(resourceId(resource)) ? keys('data') : []),
  ];
}
