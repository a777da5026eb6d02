// Allure's pages tell a third party that they were opened, and have no switch for it: it is cut out of them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const script = /<script\b[^>]*>[\s\S]*?<\/script>/g;
const analytics = /googletagmanager|google-analytics|gtag\s*\(/;

/** The page without the scripts that load or feed analytics. */
export function withoutAnalytics(page: string): string {
  return page.replace(script, (element) => (analytics.test(element) ? '' : element));
}

/** Takes analytics out of every page in a directory. Throws where some is left: such a report must not be published. */
export function removeAnalytics(directory: string): void {
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.html')) continue;
    const file = join(directory, name);
    const page = withoutAnalytics(readFileSync(file, 'utf8'));
    if (analytics.test(page)) throw new Error(`${file}: analytics that this version of Allure loads in another way`);
    writeFileSync(file, page);
  }
}
