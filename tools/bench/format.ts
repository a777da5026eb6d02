// The formats that are measured against each other: how each is asked for, and how the events of its streams are counted.

export interface Format {
  readonly mediaType: string;
  /** Returns a counter of events: for each chunk of a stream, it returns the number of events that end in it. */
  counter(): (chunk: Buffer) => number;
}

const newline = 0x0a;

/** An event is a line. */
export const json: Format = {
  mediaType: 'application/json',
  counter: () => (chunk) => {
    let count = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) count += 1;
    return count;
  },
};

const lengthBytes = 4;

/** An event has its length before it. */
export const protobuf: Format = {
  mediaType: 'application/vnd.kubernetes.protobuf',
  counter() {
    let rest: Buffer = Buffer.alloc(0);
    return (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let count = 0;
      while (rest.length >= lengthBytes && rest.length >= lengthBytes + rest.readUInt32BE()) {
        rest = rest.subarray(lengthBytes + rest.readUInt32BE());
        count += 1;
      }
      return count;
    };
  },
};
