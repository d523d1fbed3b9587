import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.ts";
import { reportedTexts } from "./reported.ts";
import { type BareText, textsOf } from "./texts.ts";

export interface SourceText extends BareText {
	readonly file: string;
}

/** Texts for users in all sources. The keys include texts that VS Code modules only recognize. */
export function sourceTexts(): { readonly keys: readonly string[]; readonly bare: readonly SourceText[] } {
	const files = globSync(
		["src/vscode/**/*.ts", "src/activation/**/*.ts", "src/extension.ts", "webview/**/*.ts"],
		{ cwd: root },
	);
	const all = files.map((file) => ({ file, ...textsOf(file, readFileSync(join(root, file), "utf8")) }));
	return {
		keys: [...new Set([...all.flatMap(({ keys }) => keys), ...reportedTexts()])].sort(),
		bare: all.flatMap(({ file, bare }) =>
			bare.map((text) => ({ ...text, file: file.replaceAll("\\", "/") })),
		),
	};
}
