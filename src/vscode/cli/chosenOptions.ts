import { l10n } from "vscode";
import type { ConfigOption } from "../../acp/turn/session/configOptions.ts";
import { Failure } from "../../base/failure.ts";

export interface WantedOption {
	readonly id: string;
	readonly value: string;
}

/** What can be chosen before a question; the switch that allows all is a matter of rules, and not here. */
const CHOSEN = ["agent", "mode", "model"];

const WORD = /^(agent|mode|model):("[^"]*"|\S+)(?:\s+|$)/i;

/** The choices that a prompt begins with (`agent:reviewer mode:plan …`), and the question behind them. */
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

/** The option and the choice that the user means. Throws a `Failure` that lists the choices. */
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

/** `Agent: Copilot · Mode: Plan`: what a session works with, in one line. */
export function optionsLine(options: readonly ConfigOption[]): string {
	const names = chosenOptions(options).map(
		({ name, value, choices }) =>
			`${name}: ${choices.find((choice) => choice.value === value)?.name ?? value}`,
	);
	return names.join(" · ").replace(/\s+/g, " ");
}
