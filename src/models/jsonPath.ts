import { fieldOf } from "../base/values.ts";

export function valueAt(json: unknown, ...path: readonly string[]): unknown {
	return path.reduce((value: unknown, name) => fieldOf(value, name), json);
}

export function numberAt(json: unknown, ...path: readonly string[]): number | undefined {
	const value = valueAt(json, ...path);
	return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}

export function textAt(json: unknown, ...path: readonly string[]): string {
	const text = valueAt(json, ...path);
	return typeof text === "string" ? text : "";
}

export function textsAt(json: unknown, ...path: readonly string[]): string[] | undefined {
	const value = valueAt(json, ...path);
	return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}
