import type { AgentSource } from "./chain.ts";

export interface NamedAgent {
	readonly name: string;
	readonly source: AgentSource;
}

/** The short form of a name: `C# Expert` is `c-expert`. */
export function slugOf(name: string): string {
	return name
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, "-")
		.replace(/^-|-$/g, "");
}

/** Agents whose name, short name or file name equals the address; several agents if the address is ambiguous. */
export function agentsAt<Agent extends NamedAgent>(address: string, agents: readonly Agent[]) {
	const ways: readonly ((agent: Agent) => string)[] = [
		({ name }) => name,
		({ name }) => slugOf(name),
		({ source }) => /([^/]*?)(?:\.agent)?\.md$/.exec(source.uri)?.[1] ?? "",
	];
	for (const way of ways) {
		const found = agents.filter((agent) => way(agent) === address);
		if (found.length > 0 && address !== "") return found;
	}
	return [];
}
