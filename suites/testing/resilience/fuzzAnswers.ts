// Good replies with a change: wrong values in the right JSON structure, or a wrong structure.
import type { Random } from '../../objects/random.js';

const odd: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.5,
  '',
  'a\nb',
  'a\0b',
  '\ud800',
  '../../..',
  '%zz',
  'ü☃',
  ' ',
  'x'.repeat(100_000),
  [],
  {},
  [null],
  [[[]]],
  { a: { a: {} } },
  { __proto__: null, constructor: 1, toString: 2 },
  '9'.repeat(40),
  '-1',
  'bad token\n',
  Buffer.from('a\nb').toString('base64'),
];

/** Returns a response with a change of its status, its structure or some of its values. */
export function changeAnswer(status: number, body: Buffer, random: Random): { status: number; body: Buffer } {
  if (random.chance(0.15)) return { status: random.of([200, 201, 400, 401, 403, 404, 409, 410, 422, 429, 500]), body };
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    const changed = Buffer.from(body);
    for (let count = 0; count < 5 && changed.length > 0; count += 1)
      changed[random.below(changed.length)] = random.below(256);
    return { status, body: random.chance(0.3) ? body.subarray(0, random.below(body.length + 1)) : changed };
  }
  if (random.chance(0.15)) return { status, body: Buffer.from(JSON.stringify(random.of(odd)) ?? 'null') };
  if (random.chance(0.1)) return { status, body: body.subarray(0, random.below(body.length)) };
  for (let count = 1 + random.below(3); count > 0; count -= 1) value = changed(value, random);
  return { status, body: Buffer.from(JSON.stringify(value)) };
}

/** Returns the value with one part changed, removed or duplicated. */
function changed(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.8)) {
    const at = random.below(value.length);
    if (random.chance(0.2)) return [...value, value[at]];
    return value.map((item: unknown, index) => (index === at ? changed(item, random) : item));
  }
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0 && random.chance(0.9)) {
    const key = random.of(Object.keys(value));
    const { [key]: old, ...rest } = value as Record<string, unknown>;
    return random.chance(0.15) ? rest : { ...rest, [key]: changed(old, random) };
  }
  return random.of(odd);
}
