export type LoadKind =
	| "hooks"
	| "settings"
	| "servers"
	| "agent"
	| "skill"
	| "command"
	| "instructions"
	| "plugin";

/** Level of a folder; `between` is between the session's folder and the Git root, `above` is above the Git root. */
export type Level = "session" | "between" | "root" | "above";

export interface HomePlace {
	/** Path relative to a folder or to the CLI's home. */
	readonly path: string;
	/** If set, `path` is a folder whose files with this extension count, at any depth. */
	readonly ending?: string;
	readonly kind: LoadKind;
}

export interface Place extends HomePlace {
	/** Levels at which the CLI 1.0.102 loads the path in a trusted repository, as observed. */
	readonly inGit: readonly Level[];
	/** Levels outside Git repositories. A test compares both lists with the installed CLI. */
	readonly withoutGit: readonly Level[];
}

const atRoot = { inGit: ["root"], withoutGit: ["session"] } as const;
const onTheWay = { inGit: ["root", "between", "session"], withoutGit: ["session"] } as const;
const fromAbove = { ...onTheWay, withoutGit: ["above", ...onTheWay.inGit] } as const;
const atBothEnds = { inGit: ["root", "session"], withoutGit: ["session"] } as const;

/** Paths that the CLI loads from folders. We search all levels up to the root, because versions of the CLI differ. */
export const PLACES: readonly Place[] = [
	{ path: ".github/hooks", ending: ".json", kind: "hooks", ...atRoot },
	{ path: ".github/copilot/settings.json", kind: "settings", ...atRoot },
	{ path: ".github/copilot/settings.local.json", kind: "settings", ...atRoot },
	{ path: ".claude/settings.json", kind: "settings", ...atRoot },
	{ path: ".claude/settings.local.json", kind: "settings", ...atRoot },
	{ path: ".mcp.json", kind: "servers", ...onTheWay },
	// Loaded only if the folder has no `.mcp.json`.
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

/** Folder of installed plugins, as `marketplace/name`. Over ACP, the CLI skips local marketplaces. */
export const INSTALLED_PLUGINS = "installed-plugins";

/** Files that a plugin may load. The plugin's manifest tells hooks, servers, agents, skills and commands apart. */
export const PLUGIN_PLACES: readonly HomePlace[] = [
	{ path: "", ending: ".json", kind: "plugin" },
	{ path: "", ending: ".md", kind: "plugin" },
];
