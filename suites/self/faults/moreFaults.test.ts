// The second half of the broken servers, so that two workers share them.
import { describe } from 'vitest';
import { testFaults, useGoodServer } from '../../../cli/testing/brokenServer.js';
import { faults } from './index.js';

useGoodServer();

describe('a server that', () => {
  testFaults(faults.slice(Math.ceil(faults.length / 2)));
});
