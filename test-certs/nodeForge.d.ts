// The types of the modules of node-forge that are loaded alone.
declare module 'node-forge/lib/asn1.js' {
  import { asn1 } from 'node-forge';

  export default asn1;
}

declare module 'node-forge/lib/util.js' {
  const util: {
    /** Returns the bytes of an IPv4 address, or of an IPv6 address without a dotted end, a character for each. */
    bytesFromIP(address: string): string;
  };
  export default util;
}
