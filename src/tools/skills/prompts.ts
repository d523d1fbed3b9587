import type { Prompt, Prompts, Skill, SkillPlace } from "../../core/agent/skill.ts";
import { commandName, type PluginCommand, type PluginDefinition } from "../../core/plugin/plugin.ts";
import { fillPlaces } from "../../plugins/manifest/template.ts";
import { parametersOf, valuesFor } from "../../plugins/run/deed.ts";
import type { PluginPlace } from "../plugins/pluginTools.ts";

/** Prompts of skills, prompt files and plugins. Of prompts with the same name, the first one wins. */
export function createPrompts({ registry }: PluginPlace, skills: SkillPlace): Prompts {
	return {
		list: async (signal) => {
			const [found, { plugins }] = await Promise.all([skills.list(signal), registry(signal)]);
			const offered = plugins.filter(({ isDisabled, within }) => !isDisabled && within === undefined);
			const all = [
				...found.skills.filter(({ mayBeAsked }) => mayBeAsked).map(ofSkill),
				...offered.flatMap((plugin) => plugin.commands.flatMap((command) => ofCommand(plugin, command))),
			];
			return [...new Map(all.toReversed().map((prompt) => [prompt.name, prompt])).values()].reverse();
		},
	};
}

/** Placeholders for the user's text: `$ARGUMENTS` and `$1` in Claude, `${input:name:hint}` in VS Code. */
const WRITTEN = /\$(?:ARGUMENTS\b|([1-9])(?!\d))/g;
const INPUT = /\$\{input:([\w-]+)(?::([^}]*))?\}/g;
const ALL = "arguments";

function ofSkill({ name, description, persona, hint }: Skill): Prompt {
	const inputs = new Map([...persona.matchAll(INPUT)].map(([, input = "", about]) => [input, about ?? ""]));
	const places = [...inputs].map(([input, about]) => ({ name: input, description: about, required: true }));
	const isPlaced = persona.search(WRITTEN) >= 0;
	const isOpen = places.length === 0 || isPlaced;
	return {
		name,
		description,
		arguments: [...places, ...(isOpen ? [{ name: ALL, description: hint || "What it is for" }] : [])],
		text: (values) => {
			const given = values[ALL] ?? "";
			const words = given.split(/\s+/);
			const filled = persona
				.replace(INPUT, (_, input: string) => values[input] ?? "")
				.replace(WRITTEN, (_, index?: string) => (index ? (words[Number(index) - 1] ?? "") : given));
			return given === "" || isPlaced ? filled : `${filled}\n\n${given}`;
		},
	};
}

function ofCommand(plugin: PluginDefinition, command: PluginCommand): Prompt[] {
	const { executor, description } = command;
	if (executor.kind !== "prompt") return [];
	return [
		{
			name: commandName(plugin.name, command.name),
			description,
			arguments: parametersOf(plugin, command).map(({ name, description: about = "", isRequired }) => ({
				name,
				description: about,
				required: isRequired,
			})),
			text: (values) => {
				const asked = fillPlaces(executor.template, valuesFor(plugin, command, values));
				return [plugin.prompt, asked].filter((part) => part !== "").join("\n\n");
			},
		},
	];
}
