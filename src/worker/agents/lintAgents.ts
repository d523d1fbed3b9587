import { basename } from "node:path";
import type { AgentDefinition, AgentProblem } from "../../core/agent/agentDefinition.ts";
import { AGENT_TOOLS } from "../../loads/agentFields.ts";
import { filePathOf } from "../files/fileUri.ts";
import type { ReadAgent } from "./readAgent.ts";

/** An agent with the lines of its file. */
export type LocatedAgent = ReadAgent & { readonly definition: AgentDefinition };

/** Agents that VS Code has of its own. */
const BUILT_IN: ReadonlySet<string> = new Set(["agent", "ask", "edit", "plan", "explore"]);

/** What is wrong with agents among each other, and with what they name; none of it keeps them from being chosen. */
export function lintAgents(agents: readonly LocatedAgent[]): AgentProblem[] {
	const byName = new Map(agents.map((agent) => [agent.definition.name, agent]));
	const endless = withoutEnd(byName);
	return agents.flatMap((agent) => [
		...unknownTools(agent),
		...unknownHandoffs(agent, byName),
		...(endless.has(agent.definition.name) ? circles(agent, endless) : []),
	]);
}

/** Those whose handoffs lead into a circle: whoever hands over to nobody of them is left out, again and again. */
function withoutEnd(byName: AgentsByName): AgentsByName {
	const left = new Map(byName);
	const from = Map.groupBy(
		[...byName.values()].flatMap(({ definition: { name, handoffs } }) =>
			[...new Set(handoffs.map(({ agent }) => agent))].map((to) => ({ name, to })),
		),
		({ to }) => to,
	);
	const open = new Map([...byName].map(([name, { definition }]) => [name, goesTo(definition, byName)]));
	const ended = [...byName.keys()].filter((name) => open.get(name) === 0);
	for (const end of ended) {
		left.delete(end);
		for (const { name } of from.get(end) ?? []) {
			const more = (open.get(name) ?? 0) - 1;
			open.set(name, more);
			if (more === 0) ended.push(name);
		}
	}
	return left;
}

function goesTo({ handoffs }: AgentDefinition, byName: AgentsByName): number {
	return new Set(handoffs.map(({ agent }) => agent).filter((agent) => byName.has(agent))).size;
}

type AgentsByName = ReadonlyMap<string, LocatedAgent>;

function unknownHandoffs(agent: LocatedAgent, byName: AgentsByName): AgentProblem[] {
	return agent.definition.handoffs.flatMap(({ agent: name }, index) => {
		if (byName.has(name) || BUILT_IN.has(name.toLowerCase())) return [];
		return [warning(agent, ["handoffs", index], `There is no agent “${name}” to hand over to.`)];
	});
}

/** What begins as another's name does: of an MCP server, as the CLI and VS Code write it, or of an extension. */
const OF_OTHERS = /[/\-._:]/;

function unknownTools(agent: LocatedAgent): AgentProblem[] {
	return (agent.definition.tools ?? []).flatMap((tool, index) => {
		if (AGENT_TOOLS.has(tool) || OF_OTHERS.test(tool)) return [];
		const message = `Neither the Copilot CLI nor VS Code has a tool “${tool}”.`;
		return [{ ...warning(agent, ["tools", index], message), tool }];
	});
}

/** The shortest way back to where it began. */
function circles(agent: LocatedAgent, byName: AgentsByName): AgentProblem[] {
	const { name, handoffs } = agent.definition;
	const came = new Map([[name, ""]]);
	const open = [name];
	for (const at of open)
		for (const next of byName.get(at)?.definition.handoffs ?? []) {
			if (next.agent === name) {
				const way = wayTo(at, came);
				const index = handoffs.findIndex((handoff) => handoff.agent === (way[1] ?? name));
				const message = `The handoffs lead in a circle: ${[...way, name].join(" → ")}.`;
				return [warning(agent, ["handoffs", index], message)];
			}
			if (came.has(next.agent)) continue;
			came.set(next.agent, at);
			open.push(next.agent);
		}
	return [];
}

function wayTo(end: string, came: ReadonlyMap<string, string>): string[] {
	const before = came.get(end);
	return before ? [...wayTo(before, came), end] : [end];
}

function warning(
	{ uri, lineOf }: ReadAgent,
	[field, index]: readonly [field: string, index: number],
	message: string,
): AgentProblem {
	return { uri, line: lineOf(field, index), severity: "warning", message };
}

/** Of a file whose place in the list another one has. */
export function hiddenBy(agent: ReadAgent, first: ReadAgent, what: string): AgentProblem {
	const { uri, lineOf } = agent;
	const name = basename(filePathOf(first.uri) ?? first.uri);
	const message = `${what} belongs to another file, ${name}, which takes precedence. This one is not offered.`;
	return { uri, line: lineOf("name"), severity: "error", message };
}
