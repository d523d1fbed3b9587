import { formatCitation } from "../core/knowledge/citation.ts";
import type { CheckedStatement } from "./checkAnswer.ts";

const NAMED = 4;

/** One or two sentences to end an answer with; empty if nothing was compared. */
export function summaryOf(statements: readonly CheckedStatement[]): string {
	const count = (kind: CheckedStatement["verdict"]["kind"]) =>
		statements.filter(({ verdict }) => verdict.kind === kind).length;
	const [standing, uncited] = [count("standing"), count("uncited")];
	return [standingText(standing, standing + count("missing")), uncitedText(uncited)]
		.filter((text) => text !== "")
		.join(" ");
}

function standingText(standing: number, compared: number): string {
	if (compared === 0) return "";
	if (compared === 1)
		return standing === 1
			? "The statement has its figures and names in the cited lines."
			: "The statement does not have all of its figures and names in the cited lines.";
	if (standing === compared)
		return `All ${compared} statements have their figures and names in the cited lines.`;
	return `${standing} of ${compared} statements have their figures and names in the cited lines.`;
}

function uncitedText(count: number): string {
	if (count === 0) return "";
	return count === 1
		? "1 statement with figures or names cites no lines that contain them."
		: `${count} statements with figures or names cite no lines that contain them.`;
}

/** A sentence about the problem of a statement; empty if there is none. */
export function remarkOn({ verdict }: CheckedStatement): string {
	if (verdict.kind === "uncited") return "It has figures or names, but cites no lines that contain them.";
	if (verdict.kind !== "missing") return "";
	const named = verdict.missing.slice(0, NAMED);
	const more = verdict.missing.length - named.length;
	const things = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
	return verdict.missing.length === 1
		? `${things} is not what the cited lines say.`
		: `${things} are not what the cited lines say.`;
}

/** A remark on each failed statement, with the cited lines, to be shown without the answer. */
export function warningsOn(statements: readonly CheckedStatement[]): string[] {
	return statements.flatMap((statement) =>
		statement.verdict.kind === "missing"
			? [remarkOn(statement).replace(/\.$/, `: ${statement.citations.map(formatCitation).join(" ")}`)]
			: [],
	);
}
