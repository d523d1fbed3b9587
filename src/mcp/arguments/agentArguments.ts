import { Failure } from "../../base/failure.ts";
import type { AgentLimits } from "../../protocol/mcpArguments.ts";

/** What the command line says of the limits of chains. */
export const AGENT_OPTIONS = {
	"agents-max-tokens": { type: "string" },
	"agents-max-minutes": { type: "string" },
	"agents-step-timeout": { type: "string" },
} as const;

type OptionName = keyof typeof AGENT_OPTIONS;

/** As the settings of the same names are bounded. */
const BOUNDS: Readonly<Record<OptionName, readonly [least: number, most: number]>> = {
	"agents-max-tokens": [1000, Number.MAX_SAFE_INTEGER],
	"agents-max-minutes": [1, 1440],
	"agents-step-timeout": [1, 86_400],
};

/** Fails with BAD_INPUT at what is no number within its bounds. */
export function readAgentArguments(values: { readonly [Name in OptionName]?: string }): {
	readonly agents?: AgentLimits;
} {
	const maxTokens = readNumber(values, "agents-max-tokens");
	const maxMinutes = readNumber(values, "agents-max-minutes");
	const stepTimeout = readNumber(values, "agents-step-timeout");
	const agents = {
		...(maxTokens !== undefined && { maxTokens }),
		...(maxMinutes !== undefined && { maxMinutes }),
		...(stepTimeout !== undefined && { stepTimeout }),
	};
	return Object.keys(agents).length > 0 ? { agents } : {};
}

function readNumber(
	values: { readonly [Name in OptionName]?: string },
	name: OptionName,
): number | undefined {
	const text = values[name];
	if (text === undefined) return undefined;
	const [least, most] = BOUNDS[name];
	const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
	if (value >= least && value <= most) return value;
	const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
	throw new Failure("BAD_INPUT", `--${name} wants a number ${range}, and not ${JSON.stringify(text)}.`);
}
