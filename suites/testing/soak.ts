/** Whether `npm run test:soak` runs the tests: with all cases of a fault, all examples, and each program of others. */
export const isSoak = process.env.TESTS === 'soak';
