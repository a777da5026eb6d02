// The type of parsed responses in tests, which may have any shape.

// biome-ignore lint/suspicious/noExplicitAny: a wrong guess about a shape fails the test that makes it.
export type AnyShape = any;
