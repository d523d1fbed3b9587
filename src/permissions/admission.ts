import { Failure } from "../base/failure.ts";
import type { Tool } from "../core/agent/tool.ts";
import type {
	PermissionRequest,
	PermissionRule,
	Permissions,
	RequestArgument,
} from "../core/permission/permission.ts";
import { describeRule } from "../core/permission/ruleText.ts";
import { pathArguments } from "./callArguments.ts";
import type { Consents } from "./consents.ts";
import { folderPath } from "./folderPath.ts";

/** A call of a tool of ours as the rules see it. Throws a `Failure` for a wrong input. */
export function requestFor(
	tool: Tool,
	input: unknown,
	from: Pick<PermissionRequest, "door" | "workspace" | "session">,
): PermissionRequest {
	const nature = tool.permission?.(input);
	const title = nature?.title ?? tool.announce(input);
	const { mutates = tool.isReadOnly !== true, arguments: named = [] } = nature ?? {};
	const folder = folderPath(from.workspace);
	const args = named.flatMap((argument): RequestArgument[] =>
		argument.kind === "path" ? pathArguments(argument.value, folder) : [argument],
	);
	return { ...from, tool: tool.name, title, arguments: args, mutates };
}

/** What a person said of a call, where the rules leave it to them. */
export interface Consent {
	readonly isGiven: boolean;
	/** What the model is told where it is wanted and not given. */
	readonly otherwise: string;
}

/**
 * Lets a call through, or rejects with a `Failure` whose words tell the model why not. The decision is on the disk
 * before the call begins.
 */
export async function admit(
	permissions: Permissions,
	request: PermissionRequest,
	{ isGiven, otherwise }: Consent,
): Promise<void> {
	const { effect, rule } = await permissions.verdictFor(request);
	const byPerson = effect === "ask" && isGiven;
	const isAllowed = effect === "allow" || byPerson;
	const byRule = rule ? "rule" : "default";
	await permissions.record({
		request,
		effect: isAllowed ? "allow" : "deny",
		by: byPerson ? "person" : byRule,
		...(rule && { rule: rule.id }),
	});
	if (!isAllowed) throw new Failure("NOT_ALLOWED", effect === "ask" ? otherwise : denialOf(rule));
}

/** For programs where nobody can be asked: what would be asked about is refused, in words that say how to allow it. */
function admitUnasked(permissions: Permissions, request: PermissionRequest, isGiven: boolean): Promise<void> {
	const { tool, door } = request;
	const rule = JSON.stringify({ effect: "allow", door, tool });
	const otherwise = `Not allowed: this call needs a person's consent, and nobody can be asked here. Tell the user to allow it beforehand in VS Code, with “Copilot-LD: Show Permissions” or with ${rule} in the setting copilot-ld.permissions.rules.`;
	return admit(permissions, request, { isGiven, otherwise });
}

/**
 * The same tools, each call of which is decided on first, for programs where nobody can be asked. With `consents`, a
 * person may have been asked before, by the agent that calls.
 */
export function withAdmission(
	tools: readonly Tool[],
	permissions: Permissions,
	from: Pick<PermissionRequest, "door" | "workspace" | "session">,
	consents?: Pick<Consents, "take">,
): Tool[] {
	return tools.map((tool) => ({
		...tool,
		run: async (input, call) => {
			const request = requestFor(tool, input, from);
			const isGiven = consents?.take(from.session ?? "", tool.name) ?? false;
			await admitUnasked(permissions, request, isGiven);
			return tool.run(input, call);
		},
	}));
}

function denialOf(rule: PermissionRule | undefined): string {
	const whose =
		rule?.origin === "settings"
			? "a rule in the setting copilot-ld.permissions.rules"
			: "a rule that the user made, which “Copilot-LD: Show Permissions” shows";
	const what = rule ? ` (${describeRule(rule)})` : "";
	return `Not allowed by ${whose}${what}. Do not try the same in another way; tell the user what it was for.`;
}
