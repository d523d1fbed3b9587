import { isRecord } from "../base/values.ts";
import { isDeepYaml, readLocatedYaml } from "../base/yaml/locatedYaml.ts";

/** Splits a text into the YAML between the fences and the body; `undefined` without front matter. */
export function splitFrontMatter(text: string) {
	const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
	return found ? { head: found[1] ?? "", body: text.slice(found[0].length) } : undefined;
}

export interface YamlFields {
	readonly values: Readonly<Record<string, unknown>>;
	/** Line of a field or of an item in the field; the first line if the field is missing. */
	lineOf(name: string, index?: number): number;
}

/** Maximum number of characters of the YAML. */
const MAX_LENGTH = 32_768;

/** Number of lines above the YAML, which is the opening fence. */
const ABOVE = 1;

export function readYamlFields(head: string): YamlFields | ReturnType<typeof mistake> {
	if (head.length > MAX_LENGTH) return mistake(`it is longer than ${MAX_LENGTH / 1024} KB`);
	if (isDeepYaml(head)) return mistake("it is nested too deeply");
	const { value, mistake: wrong, lineOf } = readLocatedYaml(head, { areWarningsFine: true });
	if (wrong) return mistake(wrong.message, wrong.line + ABOVE);
	if (!isRecord(value)) return mistake("it has no fields", ABOVE + 1);
	return {
		values: value,
		lineOf: (name, index) => lineOf(index === undefined ? [name] : [name, index]) + ABOVE,
	};
}

function mistake(why: string, line = ABOVE) {
	return { line, message: `The front matter cannot be read: ${why}` };
}
