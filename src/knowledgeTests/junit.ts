import type { TestFailure, TestOutcome } from "../core/knowledge/knowledgeTest.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these control characters.
const UNWRITABLE = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|\p{Cs}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"\n": "&#10;",
	"\r": "&#13;",
	"\t": "&#9;",
};

/** Formats outcomes as JUnit XML for build servers. `file` is the displayed path of the test file. */
export function toJUnit(file: string, outcomes: readonly TestOutcome[], mistakes: readonly TestFailure[]) {
	const cases = [
		...mistakes.map((mistake) => mistakeCase(file, mistake)),
		...outcomes.map((outcome) => caseOf(file, outcome)),
	];
	const failed = mistakes.length + outcomes.filter(({ failures }) => failures.length > 0).length;
	const seconds = secondsOf(outcomes.reduce((sum, { measured }) => sum + measured.milliseconds, 0));
	const skipped = outcomes.filter(({ unjudged }) => unjudged !== undefined).length;
	const counts = `tests="${cases.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${seconds}"`;
	return [
		'<?xml version="1.0" encoding="UTF-8"?>',
		`<testsuites ${counts}>`,
		`  <testsuite name=${quoted(file)} ${counts}>`,
		...cases,
		"  </testsuite>",
		"</testsuites>",
		"",
	].join("\n");
}

function caseOf(file: string, outcome: TestOutcome): string {
	const { test, failures, unjudged, notices, measured, answer } = outcome;
	const place = `file=${quoted(file)} line="${test.line}" time="${secondsOf(measured.milliseconds)}"`;
	const failed = failures.map((failure) => failureOf(file, failure));
	const output = [...notices, answer].filter(Boolean).join("\n\n");
	return [
		`    <testcase name=${quoted(test.name)} classname=${quoted(file)} ${place}>`,
		...failed,
		...(unjudged ? [`      <skipped message=${quoted(unjudged)}/>`] : []),
		...(output ? [`      <system-out>${escaped(output)}</system-out>`] : []),
		"    </testcase>",
	].join("\n");
}

function mistakeCase(file: string, mistake: TestFailure): string {
	const place = `classname=${quoted(file)} file=${quoted(file)} line="${mistake.line}" time="0"`;
	return `    <testcase name="is understood" ${place}>\n${failureOf(file, mistake)}\n    </testcase>`;
}

function failureOf(file: string, { message, line }: TestFailure): string {
	return `      <failure message=${quoted(message)}>${escaped(`${file}:${line}: ${message}`)}</failure>`;
}

function secondsOf(milliseconds: number): string {
	return (milliseconds / 1000).toFixed(3);
}

function quoted(text: string): string {
	return `"${escaped(text)}"`;
}

function escaped(text: string): string {
	return text
		.replace(UNWRITABLE, "\uFFFD")
		.replace(/[&<>"\n\r\t]/g, (character) => ENTITIES[character] ?? character);
}
