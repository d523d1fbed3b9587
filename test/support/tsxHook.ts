import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// The tests start hundreds of programs, which would all compile the same files.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "../../out/compiled");

/** Compiles the prompts with esbuild, as for release, because Node does not support JSX. */
registerHooks({
	// The module `vscode` exists only in VS Code.
	resolve: (specifier, context, next) =>
		specifier === "vscode"
			? { url: new URL("./fakeVscode.ts", import.meta.url).href, shortCircuit: true }
			: next(specifier, context),
	load: (url, context, next) => {
		if (!url.endsWith(".tsx")) return next(url, context);
		// Loaded lazily, because most tests need no prompts.
		const { transformSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
		const { code } = transformSync(readFileSync(fileURLToPath(url), "utf8"), {
			loader: "tsx",
			jsx: "transform",
			jsxFactory: "vscpp",
			jsxFragment: "vscppf",
			format: "esm",
			sourcemap: "inline",
			sourcefile: fileURLToPath(url),
		});
		return { format: "module", source: code, shortCircuit: true };
	},
});
