/** The oldest version of Node that LanceDB supports. Bundles are compiled for it and tested with it. */
export const OLDEST_NODE = "22.12.0";
