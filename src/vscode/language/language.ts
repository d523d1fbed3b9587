import { createLinkTree } from "./calls.ts";
import { createCompletion } from "./completion.ts";
import type { LanguageDeps } from "./deps.ts";
import { createFixes } from "./fixes.ts";
import { createHover } from "./hover.ts";
import { createInlayHints, createLenses } from "./lenses.ts";
import {
	createDefinition,
	createDocumentSymbols,
	createReferences,
	createWorkspaceSymbols,
} from "./navigation.ts";
import { createPropertyHelp } from "./propertyHelp.ts";
import { createQueries } from "./queries.ts";
import { createRename } from "./rename.ts";

/** Everything that the editor asks about names. */
export function openLanguage(deps: LanguageDeps) {
	return {
		...createHover(deps),
		...createDefinition(deps),
		...createReferences(deps),
		...createDocumentSymbols(deps),
		...createWorkspaceSymbols(deps),
		...createCompletion(deps),
		...createRename(deps),
		...createLinkTree(deps),
		...createLenses(deps),
		...createInlayHints(deps),
		...createPropertyHelp(deps),
		...createFixes(deps),
		...createQueries(deps),
	};
}
