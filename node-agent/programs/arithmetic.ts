// The arithmetic of the shell.
import { ProgramError } from '../kernel/process.js';

/** Evaluates integers and variables with `+`, `-` and `*`, such as `i + 1`. A variable that is not a number is 0. */
export function evaluate(expression: string, variable: (name: string) => string): number {
  const numbers = expression
    .replace(/\$?([A-Za-z_]\w*)/g, (_, name: string) => String(Number.parseInt(variable(name), 10) || 0))
    .replace(/\s/g, '');
  if (!/^-?\d+([-+*]-?\d+)*$/.test(numbers)) throw new ProgramError(`$((${expression})) is not supported`, 2);
  // A minus after a digit is an operator, any other one is a sign.
  const [first, ...rest] = numbers.match(/(?<=\d)[-+*]|-?\d+/g) ?? [];
  let sum = 0;
  let product = Number(first);
  for (let at = 0; at < rest.length; at += 2) {
    const number = Number(rest[at + 1]);
    if (rest[at] === '*') product *= number;
    else {
      sum += product;
      product = rest[at] === '-' ? -number : number;
    }
  }
  return sum + product;
}
