// Sums of whole numbers, as in `$((i + 1))`.
import { Failure } from '../program.js';

const binary: readonly Readonly<Record<string, (left: number, right: number) => number>>[] = [
  { '||': (left, right) => Number(left !== 0 || right !== 0) },
  { '&&': (left, right) => Number(left !== 0 && right !== 0) },
  { '==': (left, right) => Number(left === right), '!=': (left, right) => Number(left !== right) },
  {
    '<=': (left, right) => Number(left <= right),
    '>=': (left, right) => Number(left >= right),
    '<': (left, right) => Number(left < right),
    '>': (left, right) => Number(left > right),
  },
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  { '*': (left, right) => left * right, '/': divide(Math.trunc), '%': divide((_, left, right) => left % right) },
];

function divide(result: (quotient: number, left: number, right: number) => number) {
  return (left: number, right: number): number => {
    if (right === 0) throw new Failure('arithmetic: divide by zero', 2);
    return result(left / right, left, right);
  };
}

/** The value of a sum; names are variables, and 0 where they are no number. Throws Failure. */
export function calculate(text: string, variable: (name: string) => string): number {
  const tokens = text.match(/\d+|\$?[A-Za-z_]\w*|\|\||&&|[=!<>]=|[-+*/%()<>!]|\S/g) ?? [];
  let at = 0;
  const wrong = () => new Failure(`arithmetic: syntax error in "${text.trim()}"`, 2);

  const level = (index: number): number => {
    const operators = binary[index];
    if (operators === undefined) return unary();
    let value = level(index + 1);
    for (let apply = own(operators, tokens[at]); apply !== undefined; apply = own(operators, tokens[at])) {
      at++;
      value = apply(value, level(index + 1));
    }
    return value;
  };
  const unary = (): number => {
    const token = tokens[at++];
    if (token === undefined) throw wrong();
    if (token === '-') return -unary();
    if (token === '+') return unary();
    if (token === '!') return Number(unary() === 0);
    if (token === '(') {
      const value = level(0);
      if (tokens[at++] !== ')') throw wrong();
      return value;
    }
    if (/^\d/.test(token)) return Number(token);
    if (/^\$?[A-Za-z_]/.test(token)) return Number.parseInt(variable(token.replace('$', '')), 10) || 0;
    throw wrong();
  };

  const value = tokens.length === 0 ? 0 : level(0);
  if (at < tokens.length) throw wrong();
  return value;
}

const own = <Value>(table: Readonly<Record<string, Value>>, key: string | undefined): Value | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
