import { l10n } from "vscode";
import type { ConfigOption } from "../../acp/turn/session/cliSession.ts";
import { Failure } from "../../base/failure.ts";

export interface WantedOption {
	readonly id: string;
	readonly value: string;
}

/** Options that can be set before a question. Excludes “allow all”, which the permission rules govern. */
const CHOSEN = ["agent", "mode", "model"];

const WORD = /^(agent|mode|model):("[^"]*"|\S+)(?:\s+|$)/i;

/** Parses a prompt: the options at the start (`agent:reviewer mode:plan …`), and the question. */
export function readWanted(prompt: string) {
	const wanted: WantedOption[] = [];
	let question = prompt.trim();
	for (let match = WORD.exec(question); match; match = WORD.exec(question)) {
		const [whole, id = "", value = ""] = match;
		wanted.push({ id: id.toLowerCase(), value: value.replaceAll('"', "") });
		question = question.slice(whole.length);
	}
	return { wanted, question: question.trim() };
}

export function chosenOptions(options: readonly ConfigOption[]): readonly ConfigOption[] {
	return options.filter(({ id }) => CHOSEN.includes(id));
}

/** Finds the option and choice that the user means. Otherwise throws a `Failure` that lists the choices. */
export function findChoice(options: readonly ConfigOption[], { id, value }: WantedOption): WantedOption {
	const option = chosenOptions(options).find((each) => each.id === id);
	if (!option)
		throw new Failure("BAD_INPUT", l10n.t("{0} cannot be chosen in this session of the Copilot CLI.", id));
	const choice =
		option.choices.find((each) => each.value === value) ??
		option.choices.find((each) => plain(each.name) === plain(value));
	if (choice) return { id, value: choice.value };
	const names = option.choices.map(({ name }) => name).join(", ");
	throw new Failure("BAD_INPUT", l10n.t("This session has no {0} “{1}”. Available: {2}.", id, value, names));
}

function plain(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
}

/** Formats a session's options as one line: `Agent: Copilot · Mode: Plan`. */
export function optionsLine(options: readonly ConfigOption[]): string {
	const names = chosenOptions(options).map(
		({ name, value, choices }) =>
			`${name}: ${choices.find((choice) => choice.value === value)?.name ?? value}`,
	);
	return names.join(" · ").replace(/\s+/g, " ");
}
