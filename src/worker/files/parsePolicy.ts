import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import { DOORS, type Door } from "../../core/permission/door.ts";

/** Where something stands in a configuration: names of entries, and numbers of items. */
type Place = readonly (string | number)[];

/** What is not understood, and where. */
export class ConfigError extends Error {
	readonly place: Place;

	constructor(message: string, place: Place) {
		super(message);
		this.place = place;
	}
}

const CRITERIA: readonly string[] = ["paths", "types", "properties"];

/** The rules of a `policy:`. Throws where it is not understood to the last word: what it hides must not depend on a guess. */
export function parsePolicy(value: unknown): DenyRule[] {
	if (value === undefined || value === null) return [];
	if (!Array.isArray(value)) throw new ConfigError("policy must be a list of rules.", ["policy"]);
	return value.map((rule: unknown, index) => parseRule(rule, ["policy", index]));
}

function parseRule(value: unknown, place: Place): DenyRule {
	const rule = toRecord(value, "A rule of policy", place);
	requireNames(rule, ["deny", "doors"], { what: "A rule of policy has deny and doors", place });
	const at = [...place, "deny"];
	const criteria = toRecord(rule["deny"], "deny", at);
	requireNames(criteria, CRITERIA, { what: "deny has paths, types and properties", place: at });
	if (Object.keys(criteria).length === 0)
		throw new ConfigError("deny must name paths, types or properties.", at);
	const { paths, types, properties } = criteria;
	return {
		...(paths !== undefined && { paths: toTexts(paths, [...at, "paths"]).map(toPattern) }),
		...(types !== undefined && { types: toTexts(types, [...at, "types"]).map(toName) }),
		...(properties !== undefined && { properties: toTexts(properties, [...at, "properties"]).map(toName) }),
		...(rule["doors"] !== undefined && { doors: toTexts(rule["doors"], [...place, "doors"]).map(toDoor) }),
	};
}

/** `what` there may be, in words. */
export function requireNames(
	record: object,
	names: readonly string[],
	{ what, place }: { readonly what: string; readonly place: Place },
): void {
	const other = Object.keys(record).find((name) => !names.includes(name));
	if (other !== undefined) throw new ConfigError(`${what}, not ${JSON.stringify(other)}.`, [...place, other]);
}

export function toTexts(value: unknown, place: Place): Text[] {
	const name = place.at(-1);
	const texts = Array.isArray(value) ? value.filter((item) => typeof item === "string" && item.trim()) : [];
	if (!Array.isArray(value) || texts.length === 0 || texts.length < value.length)
		throw new ConfigError(`${name} must be a list of texts, with one at least.`, place);
	return texts.map((text: string, index) => ({ text: text.trim(), place: [...place, index] }));
}

/** One of a list. */
interface Text {
	readonly text: string;
	readonly place: Place;
}

function toDoor({ text, place }: Text): Door {
	const door = DOORS.find((known) => known === text);
	if (!door) throw new ConfigError(`doors are ${DOORS.join(", ")}, not ${JSON.stringify(text)}.`, place);
	return door;
}

/** Patterns that would match nothing, each with what is wrong with it. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
	[/^!/, "a rule has no exceptions: name what is hidden only"],
	[/^#/, "it would be a comment"],
	[/\\/, "separate folders with /"],
	[/[{}]/, "write a pattern for each alternative"],
	[/^(?:~|[A-Za-z][\w+.-]*:)/, "write it from the folder of the configuration on"],
	[/(?:^|\/)\.\.(?:\/|$)/, "it leads out of the folder"],
];

/** As a `.gitignore` would have it: `./hr//**` is `hr/**`. */
function toPattern({ text, place }: Text): string {
	const mistake = MISTAKES.find(([pattern]) => pattern.test(text));
	if (mistake) throw new ConfigError(`${JSON.stringify(text)} would hide nothing: ${mistake[1]}.`, place);
	const isAnchored = /^\.?\//.test(text);
	const parts = text
		.split("/")
		.filter((part, index, all) => part !== "." && (part !== "" || index === all.length - 1));
	const pattern = parts.join("/").normalize("NFC");
	if (pattern === "") return "**";
	return isAnchored ? `/${pattern}` : pattern;
}

/** An IRI, or the last segment of one: `schema:Person` means `Person`. */
function toName({ text }: Text): string {
	const bare = text.replace(/^<(.*)>$/, "$1");
	return /^(?:[a-z][\w+.-]*:\/\/|urn:)/i.test(bare) ? bare : bare.slice(bare.lastIndexOf(":") + 1) || bare;
}

export function toRecord(value: unknown, name: string, place: Place): Record<string, unknown> {
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw new ConfigError(`${name} must be an object.`, place);
	return { ...value };
}
