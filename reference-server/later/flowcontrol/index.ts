// Flow control as an addon: each response says which flow schema and priority level its request is of. Nothing waits.
import { resourceId } from '../../../matrix/api/index.js';
import type { Addon } from '../../addons.js';
import type { User } from '../../authentication/authenticator.js';
import type { Attributes } from '../../authorization/attributes.js';
import { Configurations } from '../admission/configurations.js';
import { levelsId, schemasId } from '../furniture/flowControl.js';
import { type Flow, flowOf, flowsFor, inOrder, isAbout } from './matching.js';

/** The users whose flows are known; beyond, all are found again. */
const mostUsers = 1_000;

interface Level {
  readonly name: string;
  readonly uid: string;
}

export function flowControl(): Addon {
  let schemas: Configurations<Flow> | undefined;
  let levels: Configurations<Level> | undefined;
  return {
    partsOf({ ownRegistry: registry }) {
      const ofSchemas = new Configurations(schemasId, registry.of(schemasId), (object) => [flowOf(object)]);
      const ofLevels = new Configurations(levelsId, registry.of(levelsId), ({ metadata: { name = '', uid = '' } }) => [
        { name, uid },
      ]);
      [schemas, levels] = [ofSchemas, ofLevels];
      const all = [ofSchemas, ofLevels];
      return {
        controllers: all.map(({ controller }) => ({ ...controller, name: `flows of ${controller.name}` })),
        admission: all.map(({ learning }) => learning),
        async start() {
          for (const each of all) await each.start();
        },
      };
    },
    serve({ surface }) {
      if (schemas === undefined || levels === undefined) return {};
      if (!surface.resources.some((resource) => resourceId(resource) === schemasId)) return {};
      return { headersOf: headersFrom(schemas, levels) };
    },
  };
}

/** A flow with the headers of its responses. */
interface Headed {
  readonly flow: Flow;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Returns the function that classifies requests. What schemas say of a user is found once. */
function headersFrom(schemas: Pick<Configurations<Flow>, 'items'>, levels: Pick<Configurations<Level>, 'items'>) {
  let [ofSchemas, ofLevels]: readonly [readonly Flow[], readonly Level[]] = [[], []];
  let ordered: readonly Flow[] = [];
  const uids = new Map<string, string>();
  const users = new Map<string, readonly Headed[]>();
  const keys = new WeakMap<User, string>();
  const refresh = () => {
    [ofSchemas, ofLevels] = [schemas.items, levels.items];
    uids.clear();
    users.clear();
    for (const { name, uid } of ofLevels) uids.set(name, uid);
    ordered = inOrder(ofSchemas.filter(({ level }) => uids.has(level)));
  };
  const headed = (flow: Flow): Headed => ({
    flow,
    headers: [
      ['X-Kubernetes-PF-FlowSchema-UID', flow.uid],
      ['X-Kubernetes-PF-PriorityLevel-UID', uids.get(flow.level) ?? ''],
    ],
  });
  return (user: User, attributes: Attributes): Headed['headers'] => {
    if (isLongRunning(attributes)) return [];
    if (schemas.items !== ofSchemas || levels.items !== ofLevels) refresh();
    const key = keys.get(user) ?? [user.name, ...user.groups].join('\n');
    keys.set(user, key);
    let flows = users.get(key);
    if (flows === undefined) {
      flows = flowsFor(user, ordered).map(headed);
      if (users.size >= mostUsers) users.clear();
      users.set(key, flows);
    }
    return flows.find(({ flow }) => isAbout(flow, attributes))?.headers ?? [];
  };
}

/** Subresources whose requests last: no flow has them. Watches have one since Kubernetes 1.21. */
const lasting = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

const isLongRunning = (attributes: Attributes): boolean =>
  attributes.verb === 'proxy' || ('subresource' in attributes && lasting.has(attributes.subresource));
