import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import { DOORS, type Door } from "../../core/permission/door.ts";

const CRITERIA: readonly string[] = ["paths", "types", "properties"];

/** The rules of a `policy:`. Throws where it is not understood to the last word: what it hides must not depend on a guess. */
export function parsePolicy(value: unknown): DenyRule[] {
	if (value === undefined || value === null) return [];
	if (!Array.isArray(value)) throw new Error("policy must be a list of rules.");
	return value.map(parseRule);
}

function parseRule(value: unknown): DenyRule {
	const { deny, doors, ...others } = toRecord(value, "A rule of policy");
	refuseOthers(others, "A rule of policy has deny and doors");
	const criteria = toRecord(deny, "deny");
	const unknown = Object.entries(criteria).filter(([name]) => !CRITERIA.includes(name));
	refuseOthers(Object.fromEntries(unknown), "deny has paths, types and properties");
	const named = Object.entries(criteria).map(([name, names]) => [name, toTexts(names, name)]);
	if (named.length === 0) throw new Error("deny must name paths, types or properties.");
	return { ...Object.fromEntries(named), ...(doors !== undefined && { doors: toDoors(doors) }) };
}

function refuseOthers(others: object, message: string): void {
	const [name] = Object.keys(others);
	if (name !== undefined) throw new Error(`${message}, not ${JSON.stringify(name)}.`);
}

function toDoors(value: unknown): Door[] {
	return toTexts(value, "doors").map((name) => {
		const door = DOORS.find((known) => known === name);
		if (!door) throw new Error(`doors are ${DOORS.join(", ")}, not ${JSON.stringify(name)}.`);
		return door;
	});
}

function toTexts(value: unknown, name: string): string[] {
	const texts = Array.isArray(value) ? value.filter((item) => typeof item === "string" && item.trim()) : [];
	if (!Array.isArray(value) || texts.length === 0 || texts.length < value.length)
		throw new Error(`${name} must be a list of texts, with one at least.`);
	return texts;
}

function toRecord(value: unknown, name: string): Record<string, unknown> {
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw new Error(`${name} must be an object.`);
	return { ...value };
}
