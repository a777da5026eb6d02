// Warnings of volumes: of sources that do nothing any more, of files in each other's place, and of parts of bytes.
import type { ObjectOf } from '../../../../../matrix/api/modern/objects.js';
import { isWhole } from '../../../../schema/quantity.js';
import { ofPairs } from './pairs.js';

type Volume = ObjectOf<'Volume'>;
type Amounts = Readonly<Record<string, string>>;

const ended = (deprecatedIn: string, until: string): string =>
  `deprecated in ${deprecatedIn}, non-functional in ${until}+`;

const sources: Readonly<Record<string, string>> = {
  photonPersistentDisk: ended('v1.11', 'v1.16'),
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: ended('v1.16', 'v1.22'),
  flocker: ended('v1.22', 'v1.25'),
  storageOS: ended('v1.22', 'v1.25'),
  storageos: ended('v1.22', 'v1.25'),
  quobyte: ended('v1.22', 'v1.25'),
  glusterfs: ended('v1.25', 'v1.26'),
  cephfs: ended('v1.28', 'v1.31'),
  rbd: ended('v1.28', 'v1.31'),
};

/** The sources that a pod alone is warned of. */
const ofPods: readonly string[] = ['gitRepo', 'flocker', 'quobyte'];

/** The one source whose path is spelled otherwise than its field. */
const spelled = (name: string): string => (name === 'storageos' ? 'storageOS' : name);

const sourceWarnings = (at: string, object: object, isPod: boolean): readonly string[] =>
  Object.keys(object).flatMap((name) => {
    const why = Object.hasOwn(sources, name) && (isPod || !ofPods.includes(name)) ? sources[name] : undefined;
    return why === undefined ? [] : [`${at}.${spelled(name)}: ${why}`];
  });

export const persistentWarnings = (spec: object): readonly string[] => sourceWarnings('spec', spec, false);

/** Returns what is said of amounts that are counted in bytes. */
export const byteWarnings = (at: string, amounts: Amounts = {}, ...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const amount = amounts[name];
    if (amount === undefined || isWhole(amount)) return [];
    return [`${at}[${name}]: fractional byte value "${amount}" is invalid, must be an integer`];
  });

export const claimWarnings = (
  at: string,
  { resources = {} }: ObjectOf<'PersistentVolumeClaimSpec'>,
): readonly string[] => [
  ...byteWarnings(`${at}.resources.requests`, resources.requests as Amounts | undefined, 'storage'),
  ...byteWarnings(`${at}.resources.limits`, resources.limits as Amounts | undefined, 'storage'),
];

export const volumeWarnings = (at: string, volumes: readonly Volume[]): readonly string[] => [
  ...volumes.flatMap((volume, index) => {
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
    return [
      ...sourceWarnings(`${at}[${index}]`, volume, true),
      ...(claim === undefined ? [] : claimWarnings(`${at}[${index}].ephemeral.volumeClaimTemplate.spec`, claim)),
    ];
  }),
  ...volumes.flatMap(overlapWarnings),
];

interface File {
  readonly path: string;
  readonly source: string;
}

const filesOf = (items: readonly { readonly path?: string }[] | undefined, source = ''): readonly File[] =>
  (items ?? []).map(({ path = '' }) => ({ path, source }));

const quoted = (text: string | undefined): string => JSON.stringify(text ?? '');

function overlapWarnings({ name, configMap, secret, downwardAPI, projected }: Volume): readonly string[] {
  const told = (what: string, files: readonly File[]) =>
    overlaps(files).map((which) => `volume ${quoted(name)} (${what}): overlapping paths: ${which}`);
  const empty = (projected?.sources ?? []).filter((source) => Object.keys(source).length === 0);
  return [
    ...told(`ConfigMap ${quoted(configMap?.name)}`, filesOf(configMap?.items)),
    ...told(`Secret ${quoted(secret?.secretName)}`, filesOf(secret?.items)),
    ...told('DownwardAPI', filesOf(downwardAPI?.items)),
    ...empty.map(() => `volume ${quoted(name)} (Projected) has no sources provided`),
    ...told('Projected', (projected?.sources ?? []).flatMap(projectedFiles)),
  ];
}

function projectedFiles(source: ObjectOf<'VolumeProjection'>): readonly File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken: token } = source;
  const { clusterTrustBundle: bundle, podCertificate: certificate } = source;
  if (configMap?.items) return filesOf(configMap.items, `ConfigMap ${quoted(configMap.name)}`);
  if (secret?.items) return filesOf(secret.items, `Secret ${quoted(secret.name)}`);
  if (downwardAPI?.items) return filesOf(downwardAPI.items, 'DownwardAPI');
  if (token !== undefined) return filesOf([token], 'ServiceAccountToken');
  if (bundle !== undefined) return filesOf([bundle], `ClusterTrustBundle ${quoted(bundle.name ?? bundle.signerName)}`);
  const of = { certificateChainPath: 'chain', keyPath: 'key', credentialBundlePath: 'credential bundle' } as const;
  return Object.entries(of).flatMap(([field, what]) => {
    const path = certificate?.[field as keyof typeof of];
    return path ? [{ path, source: `PodCertificate ${what}` }] : [];
  });
}

/** Returns the pairs of files of which one is where the other is, or below it. */
function overlaps(files: readonly File[]): readonly string[] {
  const shown = ({ path, source }: File) => (source === '' ? quoted(path) : `${quoted(path)} (${source})`);
  const named = files.map(({ path, source }) => ({ path: withoutSlashes(path), source }));
  const placed = named.filter(({ path }) => path !== '').map((file) => ({ ...file, place: `${file.path}/` }));
  return ofPairs(placed, (file, other) =>
    file.place.startsWith(other.place) || other.place.startsWith(file.place)
      ? `${shown(file)} with ${shown(other)}`
      : undefined,
  );
}

/** Returns a path without the slashes at its end. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
