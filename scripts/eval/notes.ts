/** What a reader of the tables must know, in Markdown. */
export const NOTES = "";
