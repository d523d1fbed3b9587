import { type Passage, type Problem, problemAt } from "../../core/knowledge/document.ts";
import { type Block, cutPassages } from "./passages.ts";

/** Characters and passages of a long table that are searchable. */
const MOST_CHARACTERS = 12_000_000;
const MOST_PASSAGES = 100_000;

export function createTablePassages(title: string) {
	const passages: Passage[] = [];
	let characters = 0;
	let cutAt: number | undefined;
	return {
		passages,
		/** Does not call `toBlocks` if the limit is reached. */
		add: (firstLine: number, toBlocks: () => readonly Block[]): void => {
			if (characters >= MOST_CHARACTERS || passages.length >= MOST_PASSAGES) cutAt ??= firstLine;
			else
				for (const passage of cutPassages(title, toBlocks()).slice(0, MOST_PASSAGES - passages.length)) {
					characters += title.length + passage.text.length;
					passages.push(passage);
				}
		},
		problems: (): Problem[] => {
			const message = `This file is large: its text is searchable up to line ${cutAt}. Split it into smaller files.`;
			return cutAt === undefined ? [] : [problemAt(1, message, "warning")];
		},
	};
}
