import { Failure } from "../../../base/failure.ts";
import { visibleText } from "../../../base/text/visibleText.ts";
import type { CliSession } from "./cliSession.ts";

/** The option that a session offers once the CLI has found agent files. */
const AGENT = "agent";

/** Makes the CLI act as one of its own agents in a session. Throws a `Failure` if it knows none of that name. */
export async function actAs(session: CliSession, name: string): Promise<void> {
	const option = session.options().find(({ id }) => id === AGENT);
	const choice = option?.choices.find(({ value }) => value === name);
	if (!option || !choice) throw unknownAgent(name, option?.choices.map(({ value }) => value) ?? []);
	if (option.value !== choice.value) await session.setOption(AGENT, choice.value);
}

function unknownAgent(name: string, known: readonly string[]): Failure {
	const names = known.filter((value) => value !== "").map(visibleText);
	const there = names.length > 0 ? `It knows: ${names.join(", ")}.` : "It found no agent files here.";
	return new Failure(
		"NOT_FOUND",
		`The GitHub Copilot CLI has no agent “${visibleText(name)}”. ${there} It reads agent files when a session starts.`,
	);
}
