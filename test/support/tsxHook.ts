import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// The tests start programs by the hundred, which would all strip and compile the same files.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "../../out/compiled");

/** Node strips types but knows no JSX: the prompts are compiled by the bundler that ships them. */
registerHooks({
	// Outside of VS Code there is no such module.
	resolve: (specifier, context, next) =>
		specifier === "vscode"
			? { url: new URL("./fakeVscode.ts", import.meta.url).href, shortCircuit: true }
			: next(specifier, context),
	load: (url, context, next) => {
		if (!url.endsWith(".tsx")) return next(url, context);
		// Most tests need no prompt, and each would load it.
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
