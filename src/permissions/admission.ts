import { Failure } from "../base/failure.ts";
import { visibleText } from "../base/text/visibleText.ts";
import type { Admit, Tool } from "../core/agent/tool.ts";
import type {
	CallSource,
	PermissionRequest,
	PermissionRule,
	Permissions,
	RequestArgument,
} from "../core/permission/permission.ts";
import { describeRule } from "../core/permission/ruleText.ts";
import { inWords } from "../core/phrase.ts";
import { argumentsIn, pathArguments } from "./arguments/callArguments.ts";
import { folderPath } from "./arguments/pattern.ts";
import type { Consents } from "./consents.ts";
import { type AskPerson, decide, type Ruling } from "./decide.ts";

export async function requestFor(tool: Tool, input: unknown, from: CallSource): Promise<PermissionRequest> {
	const nature = await tool.permission?.(input);
	const title = visibleText(nature?.title ?? tool.announce(input));
	const { mutates = tool.isReadOnly !== true, arguments: named = [], uses, handsOn } = nature ?? {};
	const folder = folderPath(from.workspace);
	const own = named.flatMap((argument): RequestArgument[] =>
		argument.kind === "path" ? pathArguments(argument.value, folder) : [argument],
	);
	const args = [...own, ...argumentsIn(handsOn, folder)];
	const called = { tool: nature?.tool ?? tool.name, ...(uses && { uses }) };
	return { ...from, ...called, title, arguments: args, mutates };
}

/** Throws a `Failure` for the model if the call is denied. Its message is `otherwise` if nobody could be asked. */
export function requireAllowed(ruling: Ruling, otherwise: string): void {
	if (ruling.effect === "deny")
		throw new Failure("NOT_ALLOWED", ruling.isUnasked ? otherwise : wordsOf(ruling));
}

interface AdmissionParts {
	readonly consents?: { readonly take: Consents["take"] };
	readonly ask?: AskPerson | undefined;
	/** Says how the user can allow a call, as the end of a sentence. By default, the sentence is for VS Code. */
	readonly howToAllow?: (request: PermissionRequest) => string;
}

export function admission(
	permissions: Permissions,
	from: CallSource,
	{ consents, ask, howToAllow = allowInEditor }: AdmissionParts = {},
): Admit {
	return async (tool, input, { signal }) => {
		const request = await requestFor(tool, input, from);
		const askHere: AskPerson = async (question, until) => {
			// The user consents to a tool's name, which does not cover the definition in a file under that name.
			const isTold = tool.definition === undefined;
			const isGiven = isTold && consents?.take(from.session ?? "", question.request.tool);
			return isGiven ? { kind: "once" } : ask?.(question, until);
		};
		const ruling = await decide(permissions, request, { ask: askHere, by: "person", signal });
		const message = `Not allowed: this call needs the user's consent, and nobody can be asked here. Tell the user to allow it first ${howToAllow(request)}.`;
		requireAllowed(ruling, message);
	};
}

function allowInEditor({ tool, channel }: PermissionRequest): string {
	const rule = JSON.stringify({ effect: "allow", channel, tool });
	return `in VS Code, with “Copilot-LD: Show Permissions” or with ${rule} in the setting copilot-LD.permissions.rules`;
}

function wordsOf({ rule, denial }: Ruling): string {
	if (!denial) return denialOf(rule);
	const because = denial.reason === undefined ? "" : ` Their reason: “${denial.reason}”.`;
	return `The user did not allow this call.${because} Do not try it again, also not in another way: go on without it, or say why it is needed.`;
}

function denialOf(rule: PermissionRule | undefined): string {
	const whose =
		rule?.origin === "settings"
			? "a rule in the setting copilot-LD.permissions.rules"
			: "a rule that the user made, which “Copilot-LD: Show Permissions” shows";
	const what = rule ? ` (${inWords(describeRule(rule))})` : "";
	return `Not allowed by ${whose}${what}. Do not try the same in another way; tell the user what it was for.`;
}
