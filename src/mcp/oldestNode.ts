/** What LanceDB asks for, and the bundles are compiled to. The tests of the programs run this one. */
export const OLDEST_NODE = "22.12.0";
