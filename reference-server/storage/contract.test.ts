// Tests the storage contract with the storage in memory.
import { describeStorage } from '../testing/storageContract.js';
import { MemoryStorage } from './memory.js';

describeStorage('memory', async (limits) => new MemoryStorage(limits));
describeStorage(
  'memory that keeps two values decoded',
  async (limits) => new MemoryStorage({ decoded: 2, decodedAgain: 1, ...limits }),
);
