// Quantities of resources as numbers, such as 500m or 2Gi.

const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, index) => [suffix, 1024 ** (index + 1)] as const);
const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map(
  (suffix, index) => [suffix, 1000 ** (index - 3)] as const,
);
const factors = new Map<string, number>([...binary, ...decimal]);

/** Returns the value of a quantity; 0 for text that is none, which no API server stores. */
export function numberOf(quantity: string | number): number {
  const [, number = '', suffix = ''] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([A-Za-z]{0,2})$/.exec(String(quantity)) ?? [];
  return Number(number) * (factors.get(suffix) ?? 0) || 0;
}
