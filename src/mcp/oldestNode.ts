/** Oldest version of Node that LanceDB supports. Bundles are compiled for this version and tested with it. */
export const OLDEST_NODE = "22.12.0";
