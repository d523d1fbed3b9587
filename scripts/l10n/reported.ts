import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.ts";
import { type BareText, textsOf } from "./texts.ts";

/** By file: texts, or `*` for all, that users never see in VS Code, because they are for models and programs. */
const OTHERS = Object.entries<"*" | readonly string[]>(
	JSON.parse(readFileSync(join(root, "scripts/l10n/notForPeople.json"), "utf8")),
);

/** Properties of tools that users see; the rest is for models. */
const TOLD_OF_TOOLS = /^(announce|title)$/;

/**
 * English texts of the modules that must not depend on VS Code; `src/vscode/l10n.ts` recognizes and translates them.
 * The keys are these sentences, with a numbered placeholder for each expression.
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

/** The texts of each file that are not for users; `*` means all. */
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

/** Whether a text has words besides placeholders and punctuation. */
function hasWords(text: string): boolean {
	return /\p{L}{2}/u.test(text);
}

function numbered(text: string): string {
	let at = 0;
	return text.replaceAll("{}", () => `{${at++}}`);
}
