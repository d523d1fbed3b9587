import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { root } from "./paths.ts";

/** Options to build the script and style of the sidebar and of the graph page into a folder. */
export function webviewBundle(outdir: string): BuildOptions {
	return {
		entryPoints: [
			{ in: join(root, "webview", "main.ts"), out: "webview" },
			{ in: join(root, "webview", "style.css"), out: "webview" },
			{ in: join(root, "webview", "graph", "main.ts"), out: "graphView" },
			{ in: join(root, "webview", "graph", "graph.css"), out: "graphView" },
		],
		outdir,
		bundle: true,
		platform: "browser",
		format: "iife",
		target: "chrome130",
		sourcemap: "linked",
		logLevel: "warning",
	};
}

/** Copies the icons of VS Code next to the pages. */
export function placeCodicons(outdir: string): void {
	mkdirSync(outdir, { recursive: true });
	const source = join(root, "node_modules", "@vscode", "codicons", "dist");
	for (const file of ["codicon.css", "codicon.ttf"]) copyFileSync(join(source, file), join(outdir, file));
}
