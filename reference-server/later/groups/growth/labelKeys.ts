// The label keys of a pod's affinity and spread: the pod's own values of them are added to the selectors once, when the
// pod is created, so that a scheduler reads the selectors alone.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';

type PodSpec = ObjectOf<'PodSpec'>;
type Labels = Readonly<Record<string, string>>;
type Term = ObjectOf<'PodAffinityTerm'>;

/** The minor versions since which servers do so for affinity and for spread. */
const [affinitySince, spreadSince] = [31, 34];

function selecting(
  selector: ObjectOf<'LabelSelector'>,
  keys: readonly string[] | undefined,
  operator: 'In' | 'NotIn',
  labels: Labels,
): ObjectOf<'LabelSelector'> {
  const own = (keys ?? []).flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
  return own.length === 0
    ? selector
    : { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...own] };
}

const term =
  (labels: Labels) =>
  <T extends Term>(of: T): T => {
    if (of.labelSelector === undefined) return of;
    const same = selecting(of.labelSelector, of.matchLabelKeys, 'In', labels);
    return { ...of, labelSelector: selecting(same, of.mismatchLabelKeys, 'NotIn', labels) };
  };

function terms(affinity: ObjectOf<'PodAffinity'>, labels: Labels): ObjectOf<'PodAffinity'> {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity;
  return {
    ...affinity,
    ...(required && { requiredDuringSchedulingIgnoredDuringExecution: required.map(term(labels)) }),
    ...(preferred && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((weighted) => ({
        ...weighted,
        ...(weighted.podAffinityTerm && { podAffinityTerm: term(labels)(weighted.podAffinityTerm) }),
      })),
    }),
  };
}

/** Returns the spec of a new pod whose selectors have the pod's own values of the label keys. */
export function withLabelKeys(spec: PodSpec, labels: Labels, minor: number): PodSpec {
  const { affinity, topologySpreadConstraints: spread } = spec;
  const isNear = minor >= affinitySince && (affinity?.podAffinity ?? affinity?.podAntiAffinity) !== undefined;
  const isSpread = minor >= spreadSince && spread?.some(({ matchLabelKeys }) => (matchLabelKeys ?? []).length > 0);
  if (!isNear && !isSpread) return spec;
  return {
    ...spec,
    ...(isNear && {
      affinity: {
        ...affinity,
        ...(affinity?.podAffinity && { podAffinity: terms(affinity.podAffinity, labels) }),
        ...(affinity?.podAntiAffinity && { podAntiAffinity: terms(affinity.podAntiAffinity, labels) }),
      },
    }),
    ...(spread &&
      isSpread && {
        topologySpreadConstraints: spread.map((constraint) => ({
          ...constraint,
          ...(constraint.labelSelector && {
            labelSelector: selecting(constraint.labelSelector, constraint.matchLabelKeys, 'In', labels),
          }),
        })),
      }),
  };
}
