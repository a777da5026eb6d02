// Draws the same values in every run of the tests, so that the gate tells of the change and not of the draw. `SEED` draws
// others: `npm run test:soak` and `npm run test:flaky` set it anew.
import fc from 'fast-check';

const seed = Number(process.env.SEED ?? 20);
if (!Number.isSafeInteger(seed)) throw new Error(`SEED: give a whole number, not ${JSON.stringify(process.env.SEED)}`);
fc.configureGlobal({ seed });
