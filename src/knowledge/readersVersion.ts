/** Increase this number if readers produce other rows for the same bytes. Unchanged files are then read again. */
export const READERS_VERSION = 25;
