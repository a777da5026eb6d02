// The formats of `date`, in UTC.
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number): string => String(number).padStart(2, '0');

const directives = new Map<string, (at: Date) => string>(
  Object.entries<(at: Date) => string>({
    Y: (at) => String(at.getUTCFullYear()),
    m: (at) => two(at.getUTCMonth() + 1),
    d: (at) => two(at.getUTCDate()),
    e: (at) => String(at.getUTCDate()).padStart(2),
    H: (at) => two(at.getUTCHours()),
    M: (at) => two(at.getUTCMinutes()),
    S: (at) => two(at.getUTCSeconds()),
    N: (at) => String(at.getUTCMilliseconds()).padStart(3, '0').padEnd(9, '0'),
    s: (at) => String(Math.floor(at.getTime() / 1000)),
    F: (at) => formatDate(at, '%Y-%m-%d'),
    T: (at) => formatDate(at, '%H:%M:%S'),
    a: (at) => days[at.getUTCDay()] ?? '',
    b: (at) => months[at.getUTCMonth()] ?? '',
    Z: () => 'UTC',
    z: () => '+0000',
    n: () => '\n',
    '%': () => '%',
  }),
);

/** Formats a time. Unknown directives stay. */
export function formatDate(at: Date, format: string): string {
  return format.replace(/%(.)/g, (all, letter: string) => directives.get(letter)?.(at) ?? all);
}
