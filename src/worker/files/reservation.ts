import { realpathSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { wordList } from "../../base/words/wordList.ts";

/** How Copilot-LD itself is set up. */
const OWN: readonly string[] = ["/.copilot-ld/", "/.copilot-ld"];

/** Where agents look for what they shall do: parts of paths that end in a slash, or ends of paths. */
const AGENT_INSTRUCTIONS: readonly string[] = wordList(`
	/.github/agents/ /.github/chatmodes/ /.github/copilot/ /.github/hooks/ /.github/instructions/
	/.github/prompts/ /.github/skills/ .agent .agents .aider .amazonq .augment .claude .clinerules
	.codex .continue .copilot .cursor .gemini .junie .kiro .opencode .qwen .roo .trae .windsurf agent.md
	agents.md agents.local.md agents.override.md claude.md claude.local.md copilot-instructions.md
	gemini.md qwen.md skill.md .clinerules .cursorrules .goosehints .roorules .rules .windsurfrules
	.agent.md .chatmode.md .instructions.md .prompt.md
`).flatMap(partsOf);

/** What is no knowledge, whatever a folder says of itself: no `.gitignore` or configuration takes it back. */
export interface Reservation {
	/** Why a path is not to be indexed, as the beginning of a sentence. It is relative, with slashes; a folder's ends with one. */
	against(path: string): string | undefined;
	/** Notes a link inside: agents follow it, so that what it leads to is read by them under its name. */
	noteLink(path: string): void;
	/** Forgets the links, before all of them are noted again. */
	forgetLinks(): void;
}

/** `root` is the absolute path of a folder. */
export function createReservation(root: string, agentInstructions: boolean): Reservation {
	const realRoot = realPathOf(root) ?? root;
	// A person may have opened the folder of the agents itself, or the one above it.
	const above = `/${realRoot.split(sep).slice(-2).join("/")}/`;
	const links = new Map<string, string>();
	const ruleOf = (path: string): string | undefined => {
		const folded = foldCase(above + path);
		const isIn = (part: string) => (part.endsWith("/") ? folded.includes(part) : folded.endsWith(part));
		if (OWN.some(isIn)) return "files in .copilot-ld/ configure Copilot-LD and are never indexed";
		const part = agentInstructions ? undefined : AGENT_INSTRUCTIONS.find(isIn);
		return part && describeRule(part);
	};
	return {
		against: (path) => {
			const aliases = [...links].flatMap(([target, link]) =>
				path === target || path.startsWith(`${target}/`) ? link + path.slice(target.length) : [],
			);
			return [path, ...aliases].map(ruleOf).find((rule) => rule !== undefined);
		},
		noteLink: (path) => {
			const mayMatter = foldCase(basename(path)) === ".github" || ruleOf(path) || ruleOf(`${path}/`);
			const target = mayMatter ? realPathOf(join(root, path)) : undefined;
			if (target?.startsWith(realRoot + sep))
				links.set(relative(realRoot, target).split(sep).join("/"), path);
		},
		forgetLinks: () => links.clear(),
	};
}

function describeRule(part: string): string {
	const shown = part.endsWith("/") ? part.slice(1) : part.replace(/^\//, "").replace(/^\.(?=.*\.)/, "*.");
	return `${shown} holds instructions for agents, and the setting copilot-ld.index.agentInstructions is off`;
}

/** `a.md` is a whole name, `.x.md` the end of one, and `.x` a folder or a file. */
function partsOf(name: string): string[] {
	if (name.startsWith("/")) return [name];
	if (name.lastIndexOf(".") > 0) return [name.startsWith(".") ? name : `/${name}`];
	return [`/${name}/`, `/${name}`];
}

/** As the most generous file system compares names: whatever it takes for `AGENTS.md` is that file to an agent. */
function foldCase(path: string): string {
	const visible = path.normalize("NFC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
	return visible.toUpperCase().toLowerCase();
}

function realPathOf(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch {
		// It leads nowhere, or is gone by now.
		return undefined;
	}
}
