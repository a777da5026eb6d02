// A pattern, and a text on which its matches take seconds: the letters are in no order, so that each is a new state.
export const slowPattern = '(?:(?:[ab]{0,30}a){0,30})c$';

export function slowText(): string {
  let state = 1;
  const letters = Array.from({ length: 500_000 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 'ab'[(state >> 16) & 1];
  });
  return `c${letters.join('')}!`;
}
