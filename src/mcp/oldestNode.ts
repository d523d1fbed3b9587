/** The oldest version that LanceDB supports and the bundles are compiled to. The tests of programs run it. */
export const OLDEST_NODE = "22.12.0";
