import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import type { DraftPart } from "./draftPart.ts";
import { partsOfQuery } from "./queryParts.ts";
import { partsOfText } from "./textParts.ts";

/** Something that was asked and answered, which can be asked again with other values. */
export interface AskedBefore {
	readonly kind: "sparql" | "retrieval" | "prompt";
	/** The query, the words that were searched for, or the question. */
	readonly text: string;
}

/** What the person says of the tool. */
export interface DraftChoice {
	/** Of the plugin. */
	readonly name: string;
	readonly description: string;
	readonly parts: readonly DraftPart[];
}

/** The values that may become parameters, in the order of the text. */
export function partsOf({ kind, text }: AskedBefore): readonly DraftPart[] {
	return kind === "sparql" ? partsOfQuery(text) : partsOfText(text, kind);
}

/** What was asked of a turn in the chat; `undefined` where it is no question that could be asked again. */
export function askedIn(turn: {
	readonly question: string;
	readonly answer: string;
	readonly command?: string;
}): AskedBefore | undefined {
	const { question, answer, command } = turn;
	if (command === "search") return { kind: "retrieval", text: question };
	if (command === "graph") {
		const [, query] = /^```sparql\n([\s\S]*?)\n```/m.exec(answer) ?? [];
		return query === undefined ? undefined : { kind: "sparql", text: query };
	}
	return command === undefined && answer !== "" ? { kind: "prompt", text: question } : undefined;
}

/** A word within what was chosen is part of it. */
function isWithin(inner: DraftPart, outer: DraftPart): boolean {
	return inner !== outer && outer.start <= inner.start && inner.end <= outer.end;
}

/** Of a title. */
const SHOWN = 60;

/** The file of a plugin with one command, as plain data. */
export function pluginFileFor(asked: AskedBefore, { name, description, parts }: DraftChoice): object {
	const chosen = parts.filter((part) => !parts.some((other) => isWithin(part, other)));
	const type = Object.fromEntries(
		chosen.map((part) => [part.name, { type: part.type, example: exampleOf(part) }]),
	);
	return {
		group_id: "local",
		artifact_id: name,
		version: "1.0.0",
		type: "plugin",
		as_plugin: true,
		info: { title: visibleText(boundedText(description, SHOWN)), description },
		commands: [
			{
				command_name: COMMANDS[asked.kind],
				description,
				...(chosen.length > 0 && { parameter: { type } }),
				executor: executorFor(asked, chosen),
			},
		],
	};
}

const COMMANDS: Readonly<Record<AskedBefore["kind"], string>> = {
	sparql: "query",
	retrieval: "search",
	prompt: "ask",
};

function exampleOf({ type, value }: DraftPart): string | number {
	return type === "int" || type === "float" ? Number(value) : value;
}

function executorFor({ kind, text }: AskedBefore, parts: readonly DraftPart[]): object {
	const placed = parts
		.toSorted((a, b) => b.start - a.start)
		.reduce((words, { name, start, end }) => {
			const place = kind === "sparql" ? `$${name}` : `{{${name}}}`;
			return words.slice(0, start) + place + words.slice(end);
		}, text);
	return { kind, [kind === "prompt" ? "template" : "query"]: placed };
}
