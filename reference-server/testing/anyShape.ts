// The type of what a test looks into: answers of every shape.

// biome-ignore lint/suspicious/noExplicitAny: a wrong guess about a shape fails the test that makes it.
export type AnyShape = any;
