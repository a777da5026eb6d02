// Arithmetic expressions on integers, as in `$((i + 1))`.
import { ProgramError } from '../../kernel/process.js';

type Operator = (left: number, right: number) => number;

/** The binary operators, from lowest to highest precedence. */
const levels: readonly Readonly<Record<string, Operator>>[] = [
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

function divide(result: (quotient: number, left: number, right: number) => number): Operator {
  return (left, right) => {
    if (right === 0) throw new ProgramError('arithmetic: divide by zero', 2);
    return result(left / right, left, right);
  };
}

/** Returns the value of an expression. A variable that is not a number is 0. Throws ProgramError. */
export function evaluate(text: string, variable: (name: string) => string): number {
  const tokens = text.match(/\d+|\$?[A-Za-z_]\w*|\|\||&&|[=!<>]=|[-+*/%()<>!]|\S/g) ?? [];
  let at = 0;
  const wrong = () => new ProgramError(`arithmetic: syntax error in "${text.trim()}"`, 2);

  const level = (index: number): number => {
    const operators = levels[index];
    if (operators === undefined) return unary();
    const operator = () => (Object.hasOwn(operators, tokens[at] ?? '') ? operators[tokens[at] ?? ''] : undefined);
    let value = level(index + 1);
    for (let apply = operator(); apply !== undefined; apply = operator()) {
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
