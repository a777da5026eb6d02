import { expect, it } from 'vitest';
import { OptionError } from './optionValues.js';
import { parseRuntimeConfig } from './runtimeConfig.js';

const review = 'authentication.k8s.io/v1beta1';

it.each([
  ['', false],
  [review, true],
  [`${review}=`, true],
  [`${review}=true`, true],
  [`${review}=false`, false],
  [` batch/v1=true , ${review}=true,`, true],
  ['api/all', true],
  [`api/all=true,${review}=false`, false],
  ['authentication.k8s.io/v1=true', false],
  ['v1=true', false],
  ['api/beta=true,api/v1,batch/v2', false],
])('"%s" enables the reviews: %s', (text, enabled) => {
  expect(parseRuntimeConfig(text, [review], ['batch'])(review)).toBe(enabled);
});

it.each([
  [`${review}=yes`, 'is not understood'],
  ['a/b/c=true', 'is not understood'],
  ['=true', 'is not understood'],
  [`${review}=true;batch/v1`, 'is not understood'],
  ['foo', '"foo" is not understood'],
  ['foo/v1=true', 'there is no group foo; there are batch, authentication.k8s.io'],
  ['bacth/v1', 'there is no group bacth; did you mean batch?'],
  ['batch/v1=false', `batch/v1 cannot be disabled; only ${review} can`],
  ['api/all=false', 'api/all cannot be disabled'],
])('"%s" is refused', (text, complaint) => {
  expect(() => parseRuntimeConfig(text, [review], ['batch'])).toThrow(complaint);
  expect(() => parseRuntimeConfig(text, [review], ['batch'])).toThrow(OptionError);
});
