import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeAnalytics, withoutAnalytics } from './analytics.js';

const own = '<script>window.allure = {};</script>';
const loader = '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>';
const feeder = `<script>\n  function gtag(){dataLayer.push(arguments);}\n  gtag('js', new Date());\n</script>`;

it('takes out the scripts of analytics and no other', () => {
  expect(withoutAnalytics(`<body>${own}\n${loader}${feeder}${own}</body>`)).toBe(`<body>${own}\n${own}</body>`);
});

it('goes through every page of a directory, and refuses one that it cannot clean', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'analytics-'));
  try {
    await writeFile(join(folder, 'index.html'), `${own}${loader}`);
    removeAnalytics(folder);
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe(own);
    await writeFile(join(folder, 'other.html'), '<img src="https://www.google-analytics.com/collect">');
    expect(() => removeAnalytics(folder)).toThrow('analytics');
  } finally {
    await rm(folder, { recursive: true });
  }
});
