/** What a section consists of. The rows of a table either name their columns themselves or follow a header. */
export const SECTION_FORMS = ["prose", "list", "table", "code", "record", "lines"] as const;

export type SectionForm = (typeof SECTION_FORMS)[number];
