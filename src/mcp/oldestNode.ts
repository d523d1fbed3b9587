/** The oldest version of Node that LanceDB supports. Bundles are compiled for, and tested with, this one. */
export const OLDEST_NODE = "22.12.0";
