import { registerHooks } from "node:module";
import { join } from "node:path";

// The tests start programs by the hundred, which would all strip and compile the same files.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "../../out/compiled");

registerHooks({
	// Outside of VS Code there is no such module.
	resolve: (specifier, context, next) =>
		specifier === "vscode"
			? { url: new URL("./fakeVscode.ts", import.meta.url).href, shortCircuit: true }
			: next(specifier, context),
});
