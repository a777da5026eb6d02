// Chromium for the tests of the page: the path in the variable CHROMIUM, or an executable on the PATH.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';

/** The shell has no windows of its own, which cost as much as the pages. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Returns the path of the browser; undefined if this machine has none. */
export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const files = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return files.find(isExecutable);
}

/** Starts the browser. Root, as in containers, can start it only without its sandbox. */
export function startChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
