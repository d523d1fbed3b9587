/** Reason why a file is not read, as the end of "It is not in the index: …". */
export class Unreadable extends Error {}
