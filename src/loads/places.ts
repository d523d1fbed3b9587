export type LoadKind =
	| "hooks"
	| "settings"
	| "servers"
	| "agent"
	| "skill"
	| "command"
	| "instructions"
	| "plugin";

/** Level of a folder: the session's folder, between it and the git root, the git root, or above. */
export type Level = "session" | "between" | "root" | "above";

export interface HomePlace {
	/** Path relative to a folder or to the CLI's home. */
	readonly path: string;
	/** If given, `path` is a folder whose files with this ending count, at any depth. */
	readonly ending?: string;
	readonly kind: LoadKind;
}

export interface Place extends HomePlace {
	/** Levels at which the CLI 1.0.102 loads the path in a trusted repository, as observed. */
	readonly inGit: readonly Level[];
	/** Levels without git, `above` up to the top. A test compares both with the installed CLI. */
	readonly withoutGit: readonly Level[];
}

const atRoot = { inGit: ["root"], withoutGit: ["session"] } as const;
const onTheWay = { inGit: ["root", "between", "session"], withoutGit: ["session"] } as const;
const fromAbove = { ...onTheWay, withoutGit: ["above", ...onTheWay.inGit] } as const;
const atBothEnds = { inGit: ["root", "session"], withoutGit: ["session"] } as const;

/** Paths that the CLI loads from folders. We search all levels up to the root, since its versions differ. */
export const PLACES: readonly Place[] = [
	{ path: ".github/hooks", ending: ".json", kind: "hooks", ...atRoot },
	{ path: ".github/copilot/settings.json", kind: "settings", ...atRoot },
	{ path: ".github/copilot/settings.local.json", kind: "settings", ...atRoot },
	{ path: ".claude/settings.json", kind: "settings", ...atRoot },
	{ path: ".claude/settings.local.json", kind: "settings", ...atRoot },
	{ path: ".mcp.json", kind: "servers", ...onTheWay },
	// Loaded only without a `.mcp.json` beside it.
	{ path: ".github/mcp.json", kind: "servers", ...onTheWay },
	{ path: ".vscode/mcp.json", kind: "servers", inGit: [], withoutGit: [] },
	{ path: ".github/agents", ending: ".md", kind: "agent", ...fromAbove },
	{ path: ".claude/agents", ending: ".md", kind: "agent", ...fromAbove },
	{ path: ".github/skills", ending: ".md", kind: "skill", ...fromAbove },
	{ path: ".claude/skills", ending: ".md", kind: "skill", ...fromAbove },
	{ path: ".agents/skills", ending: ".md", kind: "skill", ...fromAbove },
	{ path: ".claude/commands", ending: ".md", kind: "command", ...fromAbove },
	{ path: "AGENTS.md", kind: "instructions", ...onTheWay },
	{ path: "CLAUDE.md", kind: "instructions", ...onTheWay },
	{ path: "GEMINI.md", kind: "instructions", ...onTheWay },
	{ path: ".claude/CLAUDE.md", kind: "instructions", inGit: ["between"], withoutGit: [] },
	{ path: ".github/copilot-instructions.md", kind: "instructions", ...onTheWay },
	{ path: ".github/instructions", ending: ".md", kind: "instructions", ...atBothEnds },
	{ path: ".claude/rules", ending: ".md", kind: "instructions", ...atBothEnds },
];

/** Paths that the CLI loads from its home, `COPILOT_HOME`. */
export const HOME_PLACES: readonly HomePlace[] = [
	{ path: "hooks", ending: ".json", kind: "hooks" },
	{ path: "settings.json", kind: "settings" },
	{ path: "mcp-config.json", kind: "servers" },
	{ path: "agents", ending: ".md", kind: "agent" },
	{ path: "skills", ending: ".md", kind: "skill" },
	{ path: "copilot-instructions.md", kind: "instructions" },
	{ path: "instructions", ending: ".md", kind: "instructions" },
];

/** Folder with installed plugins as `marketplace/name`; over ACP, the CLI skips local marketplaces. */
export const INSTALLED_PLUGINS = "installed-plugins";

/** Files that a plugin may load; its manifest says which are hooks, servers, agents, skills or commands. */
export const PLUGIN_PLACES: readonly HomePlace[] = [
	{ path: "", ending: ".json", kind: "plugin" },
	{ path: "", ending: ".md", kind: "plugin" },
];
