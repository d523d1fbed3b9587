import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import type { Quad, Subject, Term } from "../../core/knowledge/rdf.ts";
import type { Door } from "../../core/permission/door.ts";

/** A rule as it meets the statements of one document. */
export interface StatementRule {
	/** As in `DenyRule`; absent, whole resources are hidden. */
	readonly properties?: readonly string[];
	/** Whether the rule speaks of a resource, by its id. */
	readonly speaksOf: (id: string) => boolean;
}

export interface SplitStatements {
	readonly visible: readonly Quad[];
	readonly denied: readonly Quad[];
	/** Ids of the resources of which nothing is visible. */
	readonly hiddenIds: ReadonlySet<string>;
}

export function isForDoor({ doors }: DenyRule, door: Door): boolean {
	return !doors || doors.includes(door);
}

/** Whether a rule hides whole files, where it hides something. */
export function hidesFiles({ types, properties }: DenyRule): boolean {
	return !types && !properties;
}

/** Whether one of the names is the IRI or its last segment, in any case. */
export function isNamed(iri: string, names: readonly string[]): boolean {
	const whole = iri.toLowerCase();
	const segment = lastSegment(whole);
	return names.some((name) => [whole, segment].includes(name.toLowerCase()));
}

/**
 * Denied is what a rule names, every statement to or from a hidden resource, and all that a nameless node says which a
 * denied statement points to: it is a part of the value.
 */
export function splitStatements(quads: readonly Quad[], rules: readonly StatementRule[]): SplitStatements {
	const whole = rules.filter(({ properties }) => !properties);
	const about = quadsById(quads);
	const denied = new Set<Quad>();
	const hiddenIds = new Set<string>();
	const waiting = quads.filter((quad) => rules.some((rule) => tells(rule, quad)));
	const hide = (id: string) => {
		if (hiddenIds.has(id)) return;
		hiddenIds.add(id);
		for (const quad of about.get(id) ?? []) waiting.push(quad);
	};
	for (const id of about.keys()) if (whole.some(({ speaksOf }) => speaksOf(id))) hide(id);
	for (let quad = waiting.pop(); quad; quad = waiting.pop()) {
		denied.add(quad);
		if (quad.object.termType === "BlankNode") hide(idOf(quad.object));
	}
	return { visible: quads.filter((quad) => !denied.has(quad)), denied: [...denied], hiddenIds };
}

function quadsById(quads: readonly Quad[]): Map<string, Quad[]> {
	const about = new Map<string, Quad[]>();
	for (const quad of quads) {
		for (const id of idsIn(quad)) {
			const known = about.get(id);
			if (known) known.push(quad);
			else about.set(id, [quad]);
		}
	}
	return about;
}

function tells({ properties, speaksOf }: StatementRule, { subject, predicate }: Quad): boolean {
	return properties !== undefined && isNamed(predicate.value, properties) && speaksOf(idOf(subject));
}

function idsIn({ subject, object, graph }: Quad): string[] {
	return [subject, object, graph].filter(isSubject).map(idOf);
}

function isSubject(term: Term | undefined): term is Subject {
	return term !== undefined && term.termType !== "Literal";
}

function idOf({ termType, value }: Subject): string {
	return termType === "BlankNode" ? `_:${value}` : value;
}

function lastSegment(iri: string): string {
	return /[^/#:]*(?=[/#]*$)/.exec(iri)?.[0] ?? iri;
}
