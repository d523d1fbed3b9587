/** A Markdown fence around a text, longer than every run of backticks in it: nothing in the text can end it. */
export function fenced(text: string, language = ""): string {
	const fence = "`".repeat(longestRun(text, 2) + 1);
	return `${fence}${language}\n${text}\n${fence}`;
}

/** A text as code within a line of Markdown, which nothing in the text can end either. */
export function inlineCode(text: string): string {
	const mark = "`".repeat(longestRun(text, 0) + 1);
	return `${mark} ${text.replaceAll("\n", " ")} ${mark}`;
}

function longestRun(text: string, atLeast: number): number {
	return text.match(/`+/g)?.reduce((longest, run) => Math.max(longest, run.length), atLeast) ?? atLeast;
}
