/** Why a file is not read, as the end of "It is not in the index: …": no fault of ours, and nothing is lost by saying so. */
export class Unreadable extends Error {}
