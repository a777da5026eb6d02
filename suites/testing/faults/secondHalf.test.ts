// The second half of the faults, so that two workers share them.
import { describe } from 'vitest';
import { testFaults, useGoodServer } from '../../../cli/testing/faultTests.js';
import { faults } from './index.js';

useGoodServer();

describe('a server that', () => {
  testFaults(faults.slice(Math.ceil(faults.length / 2)));
});
