// The second half of the faults: see firstQuarter.test.ts. A file of its own runs beside the others.
import { describe } from 'vitest';
import { testFaults, useGoodServer } from '../../../cli/testing/faultTests.js';
import { faults } from './index.js';

useGoodServer();

describe('a server that', () => {
  testFaults(faults.slice(Math.ceil(faults.length / 2)));
});
