// What the checks of a chapter ask beside the operation of a case: whole kinds, and single permissions.
import { type Resource, resourceId, resources } from '../../../matrix/api/index.js';
import { type Case, type ChapterName, readsOnly } from '../../../suites/requirements/index.js';

/** What a chapter asks of other kinds: kinds of which its checks make objects, and other verbs, as `verb group/plural`. */
interface Beside {
  readonly kinds: readonly string[];
  readonly verbs?: readonly string[];
}

/** The neighbours in which nothing may change, and the objects on which deletes are tried. */
const neighbours: readonly string[] = ['core/configmaps', 'core/secrets'];
/** The kinds of the objects that a kind is about. */
const subjects: Readonly<Record<string, string>> = {
  'core/bindings': 'core/pods',
  'extensions/deployments': 'extensions/replicasets',
};
const listNodes = 'list core/nodes';
const accounts: Beside = {
  kinds: ['core/serviceaccounts', 'core/pods', 'core/podtemplates'],
  verbs: [listNodes, 'get core/pods/log', 'create authentication.k8s.io/selfsubjectreviews'],
};
const backends: Beside = {
  kinds: ['core/pods', 'core/services', 'core/endpoints'],
  verbs: [listNodes, ...['core/pods', 'core/nodes'].flatMap((kind) => every(`${kind}/proxy`, 'create', 'delete'))],
};

const besides: Partial<Record<ChapterName, Beside>> = {
  admission: {
    kinds: [
      ...['core/limitranges', 'core/persistentvolumeclaims', 'core/pods', 'core/replicationcontrollers'],
      ...['core/resourcequotas', 'core/services'],
    ],
  },
  authentication: accounts,
  certificates: accounts,
  connect: backends,
  deleteOptions: { kinds: resources.filter(({ modern }) => !modern).map(resourceId) },
  // Some ask for what no server has: an authorizer must let them through to the response.
  errors: {
    kinds: ['core/pods'],
    verbs: [
      ...['create core/pods/status', 'delete core/componentstatuses', 'get core/configmaps/nosuch'],
      ...['list core/nosuchthings', 'list batch/jobs', 'list nosuch.example.com/things'],
    ],
  },
  log: { kinds: ['core/pods'], verbs: [listNodes] },
  parameters: { kinds: ['core/pods'], verbs: ['watch core/componentstatuses'] },
  proxy: backends,
  serviceAccounts: accounts,
  surface: {
    kinds: [],
    verbs: [...every('core/bindings', 'list', 'update', 'patch', 'deletecollection')],
  },
  tokenReview: { kinds: [], verbs: every('authentication.k8s.io/tokenreviews', 'get', 'list') },
  watch: { kinds: ['core/serviceaccounts'] },
};

function every(resource: string, ...names: readonly string[]): string[] {
  return names.map((verb) => `${verb} ${resource}`);
}

/** Returns the kinds of which the checks of a case make objects, beside that of its operation. */
export function kindsBeside({ requirement, subject }: Case): readonly Resource[] {
  const { kinds = [] } = besides[requirement.chapter as ChapterName] ?? {};
  const own = subject.operation?.resource;
  const about = own && subjects[resourceId(own)];
  const wanted = new Set([...neighbours, ...kinds, ...(about === undefined ? [] : [about])]);
  return resources.filter((resource) => wanted.has(resourceId(resource)));
}

/** Reports whether the checks of a case make no object at all. */
export const makesNothing = (one: Case): boolean =>
  one.subject.operation?.resource === undefined &&
  readsOnly(one) &&
  besides[one.requirement.chapter as ChapterName] === undefined;

/** Returns the single permissions that the checks of a case need: a verb, and a resource of a group. */
export function verbsBeside({ requirement }: Case): readonly (readonly [verb: string, group: string, name: string])[] {
  const { verbs = [] } = besides[requirement.chapter as ChapterName] ?? {};
  return verbs.map((row) => {
    const [, verb = '', group = '', name = ''] = /^(\S+) ([^/]+)\/(.+)$/.exec(row) ?? [];
    return [verb, group === 'core' ? '' : group, name];
  });
}
