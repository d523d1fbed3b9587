/** Increase this if readers produce other rows for the same bytes: unchanged files are then read again. */
export const READERS_VERSION = 24;
