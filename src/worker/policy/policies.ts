import { relative, sep } from "node:path";
import { isBelow } from "../../base/files/paths.ts";
import { memoize } from "../../base/jobs/lazily.ts";
import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import type { Door } from "../../core/permission/permission.ts";
import { createInclusion } from "../files/exclusion.ts";
import type { FolderPolicy } from "../files/folderConfig.ts";
import { filePathOf } from "../files/sources.ts";
import { hidesFiles, isForDoor } from "./splitStatements.ts";

export type DoorPolicy = ReturnType<typeof createDoorPolicy>;

/** What is hidden from each channel; `undefined` if nothing is. */
export type Policies = ReturnType<typeof createPolicies>;

export function createPolicies(read: () => readonly FolderPolicy[]) {
	const last = new Map<Door, DoorPolicy | undefined>();
	const policyNow = (door: Door) => {
		const folders = read()
			.map((folder) => ({ ...folder, rules: folder.rules.filter((rule) => isForDoor(rule, door)) }))
			.filter(({ rules }) => rules.length > 0);
		if (folders.length === 0) return undefined;
		const key = JSON.stringify(folders);
		const known = last.get(door);
		return known?.key === key ? known : createDoorPolicy(key, folders);
	};
	const readNow = (door: Door) => {
		const policy = policyNow(door);
		last.set(door, policy);
		return policy;
	};
	return {
		/** What the configurations say now: every question asks first. */
		read: readNow,
		/** As they were read last, for the rest of a question. */
		last: (door: Door) => (last.has(door) ? last.get(door) : readNow(door)),
	};
}

function createDoorPolicy(key: string, folders: readonly FolderPolicy[]) {
	const placed = folders.flatMap(({ root, rules }) => rules.map((rule) => place(rule, root)));
	const partRules = placed.map(({ rule }) => rule).filter((rule) => !hidesFiles(rule));
	// Every search asks for all files.
	const rulesOf = memoize((uri: string) => {
		const path = filePathOf(uri) ?? "";
		const holding = placed.filter(({ holdsFor }) => holdsFor(path)).map(({ rule }) => rule);
		return { hides: holding.some(hidesFiles), parts: holding.filter((rule) => !hidesFiles(rule)) };
	});
	return {
		/** The same for the same rules. */
		key,
		/** Each as a text that is the same for the same rule. */
		rules: folders.flatMap(({ root, rules }) =>
			rules.map(({ doors: _doors, ...hidden }) => JSON.stringify({ root, ...hidden })),
		),
		/** What every answer must say: a configuration that is not understood hides all of its folder. */
		notices: folders.flatMap(({ problem }) => problem?.message ?? []),
		partsHidden: partRules,
		hides: (uri: string) => rulesOf(uri).hides,
		partRules: (uri: string) => rulesOf(uri).parts,
	};
}

function place(rule: DenyRule, root: string) {
	const start = root.endsWith(sep) ? root : root + sep;
	const patterns = (rule.paths ?? []).map((path) =>
		path.startsWith(start) ? path.slice(start.length - 1) : path,
	);
	const isIncluded = createInclusion(patterns, { ignoreCase: true });
	return {
		rule,
		holdsFor: (path: string) =>
			isBelow(path, root) && isIncluded(relative(root, path).split(sep).join("/").normalize("NFC")),
	};
}
