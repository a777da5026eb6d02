// The language: what expressions give, how they fail, what they cost, and what does not compile.
import { describe, expect, it } from 'vitest';
import { CostExceeded } from './evaluate.js';
import { Budget, BudgetExceeded, Expression } from './expression.js';
import { dyn } from './types.js';
import { fromJson, type Value } from './values.js';

const compile = (text: string) => Expression.compile(text, { variables: new Map([['self', dyn]]) });
const resultOf = (text: string, self: unknown = {}, budget = new Budget()): Value =>
  compile(text).evaluate(() => fromJson(self), budget);

describe('an expression is true', () => {
  it.each([
    // Numbers.
    '1 + 2 * 3 == 7 && 7 / 2 == 3 && -7 % 4 == -3 && 1u + 2u == 3u && 0.5 + 0.25 == 0.75',
    'dyn(1) == 1.0 && 2u > 1 && 1 < 1.5 && !(0.0 / 0.0 == 0.0 / 0.0)',
    'string(1048576.0) == "1.048576e+06" && {1.0: 2}[1.0] == 2 && {"a": 1, "a": 2}.size() == 1 && bytes("é") == b"\\303\\251"',
    '-9223372036854775808 < 0 && 0xff == 255 && 1e3 == 1000.0 && int("-7") == -7 && uint(7.9) == 7u',
    // Texts.
    '"añ😀".size() == 3 && "añ😀".charAt(2) == "😀" && "hello".indexOf("l") == 2 && "hello".lastIndexOf("l") == 3',
    '"a,b,c".split(",", 2) == ["a", "b,c"] && ["a", "b"].join("-") == "a-b" && "tac".substring(1, 3) == "ac"',
    '" a ".trim() == "a" && "aXb".lowerAscii() == "axb" && "aaa".replace("a", "b", 2) == "bba"',
    '"%s has %d of %.2f, %x".format(["x", 3, 1.5, 255]) == "x has 3 of 1.50, ff" && strings.quote("a\\"") == "\\"a\\\\\\"\\""',
    '"abc".matches("^a.c$") && "a1b22".findAll("[0-9]+") == ["1", "22"] && "xab".find("a.") == "ab" && r"\\d" == "\\\\d"',
    // Lists and maps.
    '[1, 2].all(x, x > 0) && [1, 2].exists(x, x == 2) && [1, 2].exists_one(x, x > 1) && [1, 2, 3].filter(x, x > 1) == [2, 3]',
    '[1, 2].map(x, x * 2) == [2, 4] && [1, 2].map(x, x > 1, x * 2) == [4] && {"a": 1}.all(k, k == "a")',
    '[5, 6].all(i, v, v == i + 5) && {"a": 1}.exists(k, v, v == 1) && [5].transformList(i, v, i + v) == [5]',
    '{"a": 1}.transformMap(k, v, v + 1) == {"a": 2} && {"a": "b"}.transformMapEntry(k, v, {v: k}) == {"b": "a"}',
    '2 in [1, 2] && "a" in {"a": 1} && !("b" in {"a": 1}) && {1: "x"}[1] == "x" && {"a": {"b": 1}}.a.b == 1',
    '[1, 2].sum() == 3 && [2, 1].min() == 1 && [1, 2].isSorted() && [1, 2, 1].lastIndexOf(1) == 2 && [1, 1].distinct() == [1]',
    'sets.contains([1, 2], [2]) && sets.equivalent([1, 2], [2, 1, 1]) && !sets.intersects([1], [2])',
    '[3, 1].sort() == [1, 3] && [1, 2].sortBy(x, -x) == [2, 1] && lists.range(2) == [0, 1] && [1].first().value() == 1',
    '[[1], [2]].flatten() == [1, 2] && [1, 2, 3].slice(1, 3) == [2, 3]',
    // What fails does not matter where the rest decides.
    '[0, 1].exists(x, 1 / x == 1) && !([0, 1].all(x, 1 / x == 2)) && (1 / 0 == 1 || true) && !(1 / 0 == 1 && false)',
    // Optional values.
    'optional.of(1).value() == 1 && optional.none().orValue(2) == 2 && optional.of(1).optMap(x, x + 1).value() == 2',
    '{"a": 1}.?b.orValue(3) == 3 && [1][?5].hasValue() == false && [?optional.none(), 1] == [1] && {?"a": optional.of(1)}.a == 1',
    // Time.
    'timestamp("2024-02-29T10:00:00.5Z").getHours("America/New_York") == 5 && duration("1h30m").getMinutes() == 90',
    'timestamp("2024-01-01T00:00:00Z") + duration("1h") == timestamp("2024-01-01T01:00:00Z") && duration("90s") > duration("1m")',
    'string(timestamp("2024-01-01T00:00:00.120Z")) == "2024-01-01T00:00:00.12Z" && string(duration("1500ms")) == "1.5s"',
    // Types.
    'type(1) == int && type("") == string && type([]) == list && type(null) == null_type && type(type(1)) == type',
    // What Kubernetes adds.
    'url("https://example.com:80/p?a=1&a=2").getPort() == "80" && url("/a b").getEscapedPath() == "/a%20b" && !isURL("a")',
    'url("https://[::1]:80/").getHostname() == "::1" && url("https://a/?x=1").getQuery() == {"x": ["1"]}',
    'quantity("1.5Gi").isGreaterThan(quantity("1G")) && quantity("1k").asInteger() == 1000 && sign(quantity("1").sub(2)) == -1',
    'quantity("9223372036854775807").asInteger() == 9223372036854775807 && !quantity("0.5").isInteger() && !isQuantity("a")',
    'ip("::1").isLoopback() && string(ip("2001:db8:0:0::1")) == "2001:db8::1" && !isIP("1.2.3") && ip("10.0.0.1").family() == 4',
    'cidr("10.0.0.0/8").containsIP("10.1.2.3") && cidr("10.1.0.0/8").masked() == cidr("10.0.0.0/8") && !isCIDR("1.2.3.4")',
    'cidr("fd00::/8").containsCIDR("fd01::/16") && cidr("10.0.0.0/8").prefixLength() == 8 && ip.isCanonical("::1")',
    'semver("1.2.3").isGreaterThan(semver("1.2.3-alpha")) && semver("v1.2", true).minor() == 2 && !isSemver("1.2")',
    '!format.dns1123Label().validate("a").hasValue() && format.named("uuid").value().validate("x").value().size() == 1',
  ])('%s', (text) => expect(resultOf(text)).toBe(true));
});

describe('an expression fails', () => {
  const failing = { a: 0, one: 1, text: 'a', pattern: '(', long: 'a'.repeat(5000), many: Array(5000).fill(1) };
  it.each([
    ['1 / self.a', 'division by zero'],
    ['9223372036854775807 + self.one', 'integer overflow'],
    ['[1][self.one]', 'index out of bounds: 1'],
    ['self.missing', 'no such key: missing'],
    ['self.text + 1', 'no such overload'],
    ['optional.none().value()', 'optional.none() dereference'],
    ['self.text.matches(self.pattern)', 'error parsing regexp: missing closing ): `(`'],
    ['duration(self.text)', 'time: invalid duration "a"'],
    ['self.many.map(x, self.long).join().size()', 'the text is too long'],
    ['self.long.replace("a", self.long)', 'the text is too long'],
    ['[self.a, 1].all(x, 1 / x == 1)', 'division by zero'],
    ['ip("::ffff:1.2.3.4")', 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'],
  ])('%s: %s', (text, why) => expect(() => resultOf(text, failing)).toThrow(why));
});

describe('an expression does not compile', () => {
  it.each([
    ['1 +', "1:4: Syntax error: mismatched input '<EOF>' expecting"],
    ['a.b', "1:1: undeclared reference to 'a' (in container '')"],
    ['1 + "a"', "1:3: found no matching overload for '_+_' applied to '(int, string)'"],
    ['"a".size(1)', "1:9: found no matching overload for 'size' applied to 'string.(int)'"],
    ['[1, "a"]', "1:5: expected type 'int' but found 'string'"],
    ['1.all(x, true)', "1:1: expression of type 'int' cannot be range of a comprehension"],
    ['[1].all(x.y, true)', '1:10: argument must be a simple name'],
    ['"a\\q"', '1:1: Syntax error: token recognition error at'],
    ['true && 1', "1:9: expected type 'bool' but found 'int'"],
    ['duration("x") == duration("y")', '1:10: invalid duration argument'],
    ['"a".matches("(")', '1:13: invalid matches argument'],
    ['has(self)', '1:5: invalid argument to has() macro'],
    ['9223372036854775808', '1:1: Syntax error: invalid int literal'],
    [`${'('.repeat(300)}1${')'.repeat(300)}`, 'expression recursion limit exceeded: 250'],
    [`1${' + 1'.repeat(300)}`, 'expression recursion limit exceeded: 250'],
    ['1'.repeat(100_001), 'expression code point size exceeds limit'],
  ])('%s: %s', (text, why) => expect(() => compile(text)).toThrow(why));

  it('unless it only has many terms', () => {
    expect(resultOf(Array(5000).fill('true').join(' && '))).toBe(true);
  });
});

describe('the cost of an expression', () => {
  it.each([
    ['self.a == 1', 3],
    ['self.l.all(x, x > 0)', 13],
    ['"a".contains("b")', 1],
    ['[1, 2]', 10],
    ['has(self.a) ? 1 : self.l.size()', 1],
  ])('%s is %s', (text, cost) => {
    const budget = new Budget();
    resultOf(text, { a: 1, l: [1, 2] }, budget);
    expect(10_000_000 - budget.left).toBe(cost);
  });

  const many = { l: Array.from({ length: 2000 }, (_, index) => index) };

  it('has a limit, which no operator hides', () => {
    const text = 'self.l.all(x, self.l.all(y, x + y >= 0)) || true';
    expect(() => resultOf(text, many)).toThrow(CostExceeded);
    expect(() => resultOf('self.l.all(x, x >= 0)', many, new Budget(100))).toThrow(BudgetExceeded);
  });

  it('is estimated by the sizes of types', () => {
    const list = { kind: 'list', of: { kind: 'int' }, most: 10 } as const;
    const all = Expression.compile('self.all(x, self.all(y, x == y))', { variables: new Map([['self', list]]) });
    expect(all.mostCost()).toBeGreaterThan(10 * 10 * 3);
    expect(all.mostCost()).toBeLessThan(10 * 10 * 10);
    expect(compile('self.all(x, x.all(y, y))').mostCost()).toBeGreaterThan(1e18);
  });
});

it('an expression says which variables it uses', () => {
  expect([compile('[1].all(x, self == x)').uses('self'), compile('1 == 1').uses('self')]).toEqual([true, false]);
});
