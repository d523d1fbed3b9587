import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";
import { messageOf } from "../../base/failure.ts";
import { isRecord } from "../../base/values.ts";
import { isDeepYaml } from "../../base/yaml/deepYaml.ts";

/** The fields of a front matter, with their lines in the file. */
export interface YamlFields {
	readonly values: Readonly<Record<string, unknown>>;
	/** Of a field or of an item in it; of the first line where there is none. */
	lineOf(name: string, index?: number): number;
}

/** Why there are no fields. */
export interface YamlMistake {
	readonly line: number;
	readonly message: string;
}

/** Characters. */
const MAX_LENGTH = 32_768;
const MAX_ALIASES = 50;

/** Lines above the first field: the fence. */
const ABOVE = 1;

/** Reads what stands between the fences at the top of a file; bounded in all that it may ask for. */
export function readYamlFields(head: string): YamlFields | YamlMistake {
	if (head.length > MAX_LENGTH) return mistake(`is longer than ${MAX_LENGTH / 1024} KB`);
	if (isDeepYaml(head)) return mistake("is nested too deeply");
	const lineCounter = new LineCounter();
	const document = parseDocument(head, { lineCounter, logLevel: "silent", prettyErrors: false });
	const lineAt = (offset: number) => lineCounter.linePos(offset).line + ABOVE;
	const [error] = document.errors;
	if (error) return mistake(error.message, lineAt(error.pos[0]));
	if (!isMap(document.contents)) return mistake("has no fields", ABOVE + 1);
	try {
		const values: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
		const { contents } = document;
		return {
			values: isRecord(values) ? values : {},
			lineOf: (name, index) => lineAt(offsetOf(contents, name, index)),
		};
	} catch (thrown) {
		return mistake(messageOf(thrown), ABOVE + 1);
	}
}

function mistake(why: string, line = ABOVE): YamlMistake {
	return { line, message: `The front matter cannot be read: ${why}` };
}

function offsetOf({ items }: YAMLMap, name: string, index?: number): number {
	const pair = items.find(({ key }) => isScalar(key) && String(key.value) === name);
	const item = index !== undefined && isSeq(pair?.value) ? pair.value.items[index] : undefined;
	const node = item ?? pair?.key;
	return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}
