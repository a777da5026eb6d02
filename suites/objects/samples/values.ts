// Values that a careless server cuts, sorts, joins or rounds.

/** Base64 of all 256 bytes. */
export const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('base64');

/** Text of more than 1,000 characters. */
export const longText = Array.from({ length: 150 }, (_, line) => `line ${line} ü`).join('\n');

/** Forty keys whose order is neither that of text nor that of numbers. */
export const manyKeys = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`key.${(index * 7) % 40}`, `value ${index}`]),
);

/** Thirty addresses for documentation, in the order of text, in which old servers store them. */
export const manyAddresses = Array.from({ length: 30 }, (_, index) => ({ ip: `192.0.2.${100 + index}` }));

/** Twenty variables in an order that matters, because a variable may name those before it. */
export const manyVariables = Array.from({ length: 20 }, (_, index) => ({
  name: `V${(index * 7) % 20}`,
  value: index === 0 ? 'first' : ` $(V0) ${index}`,
}));

/** Arguments that only a shell would split, join, drop or expand. */
export const plainArguments = ['b', '', 'two words', ' ', '$(V0)', 'b', 'a'];

/** The greatest integer that JSON carries exactly everywhere: beyond it RFC 8259 promises nothing. */
export const greatestExact = Number.MAX_SAFE_INTEGER;

/** The greatest deadline that servers take: no float of 32 bits is equal to it. */
export const oddInt32 = 2 ** 31 - 1;

/** A time without a fraction, which no server has to keep. */
export const someTime = '2024-02-03T04:05:06Z';

/** What every condition may say. */
export const said = { reason: 'Checked', message: 'said by a check', lastTransitionTime: someTime };
