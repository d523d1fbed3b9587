import { SCHEMA } from "../../base/rdf/vocabulary.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { quad } from "../../core/knowledge/rdf.ts";
import { createRecords } from "../records/records.ts";
import { addMembers } from "../records/treeRecords.ts";
import type { FrontMatter } from "./frontMatter.ts";
import { subjectOf } from "./markdownFacts.ts";

/** States the objects in lists of front matter, each as a part of its document. */
export function withObjects(document: ParsedDocument, frontMatter: FrontMatter, uri: string): ParsedDocument {
	const records = createRecords();
	const subject = subjectOf(frontMatter, uri);
	addMembers({ subject, map: frontMatter.objects }, records);
	const stated = records.addTo(document);
	const parts = stated.quads
		.slice(document.quads.length)
		.flatMap((each) =>
			each.subject.value === subject.value && each.object.termType === "NamedNode"
				? [quad(each.object, `${SCHEMA}isPartOf`, subject, each.lines)]
				: [],
		);
	return { ...stated, quads: [...stated.quads, ...parts] };
}
