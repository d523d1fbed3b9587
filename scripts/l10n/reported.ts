import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.ts";
import { type BareText, textsOf } from "./texts.ts";

/** By files, the texts that no person meets in VS Code: those listed, or all. They are for models and programs, or no texts at all. */
const OTHERS = Object.entries<"*" | readonly string[]>(
	JSON.parse(readFileSync(join(root, "scripts/l10n/notForPeople.json"), "utf8")),
);

/** Of tools a person meets only these; the rest is for models. */
const TOLD_OF_TOOLS = /^(announce|title)$/;

/**
 * What the rooms say that VS Code is not known to: they say it in English, and `src/vscode/l10n.ts` recognizes it.
 * The keys are these sentences, with a numbered place for each expression.
 */
export function reportedTexts(): string[] {
	const left = textsForOthers();
	return globSync("src/**/*.ts", {
		cwd: root,
		exclude: ["src/vscode/**", "src/activation/**", "src/extension.ts"],
	}).flatMap((file) => {
		const others = left.get(file);
		if (others?.has("*")) return [];
		const { keys, bare } = textsOf(file, readFileSync(join(root, file), "utf8"));
		const told = bare.filter((each) => !others?.has(each.text) && isTold(file, each));
		return [...keys.filter(hasWords), ...told.map(({ text }) => numbered(text))];
	});
}

/** The texts for others of each file; `*` stands for all. */
export function textsForOthers(): Map<string, Set<string>> {
	const left = new Map<string, Set<string>>();
	for (const [glob, texts] of OTHERS)
		for (const file of globSync(glob, { cwd: root }))
			left.set(file, new Set([...(left.get(file) ?? []), ...texts]));
	return left;
}

function isTold(file: string, { of }: BareText): boolean {
	return !/^src[/\\]tools[/\\]/.test(file) || TOLD_OF_TOOLS.test(of);
}

/** Not only places for values and what stands between them. */
function hasWords(text: string): boolean {
	return /\p{L}{2}/u.test(text);
}

function numbered(text: string): string {
	let at = 0;
	return text.replaceAll("{}", () => `{${at++}}`);
}
