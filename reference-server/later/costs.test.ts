// Tests that the cost of each validator and merge of what came later grows no faster than its input.
import { test } from 'vitest';
import { patience, requireGrowth } from '../testing/costs/require.js';
import { startFullServer } from './index.js';
import { applyWorks } from './testing/costs/applies.js';
import { customResourceWorks } from './testing/costs/customResources.js';
import { definitionWorks } from './testing/costs/definitions.js';
import { podRequestWorks } from './testing/costs/podRequests.js';
import { warningWorks } from './testing/costs/warnings.js';
import { listWorks } from './testing/listCosts.js';

test('custom resources and their definitions', () => requireGrowth(customResourceWorks), patience);

test('many definitions', () => requireGrowth(definitionWorks), patience);

test('server-side apply and managed fields', () => requireGrowth(applyWorks), patience);

test('warnings', () => requireGrowth(warningWorks), patience);

test('what a whole pod requests', () => requireGrowth(podRequestWorks), patience);

test(
  'lists times formats times selectors',
  async () => {
    await using server = await startFullServer();
    await requireGrowth(listWorks(server));
  },
  patience,
);
