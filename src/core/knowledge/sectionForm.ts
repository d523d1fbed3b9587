/** A `record` is a table row that names its columns; a `table` has a header. */
export const SECTION_FORMS = ["prose", "list", "table", "code", "record", "lines"] as const;

export type SectionForm = (typeof SECTION_FORMS)[number];
