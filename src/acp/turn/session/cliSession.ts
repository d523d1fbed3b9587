import { addAbortListener } from "node:events";
import {
	type ContentBlock,
	methods,
	type PromptResponse,
	type RequestPermissionRequest,
	type RequestPermissionResponse,
	type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Failure } from "../../../base/failure.ts";
import { createLine, type Waiting } from "../../../base/jobs/line.ts";
import { endsWithin } from "../../../base/jobs/untilAborted.ts";
import { outgoingTrace } from "../../../base/traces/traceContext.ts";
import { fieldOf, listOf, numberOf, textOf } from "../../../base/values.ts";
import type { Permissions } from "../../../core/permission/permission.ts";
import type { AcpClient } from "../../link/acpClient.ts";

export type CliSession = ReturnType<typeof createCliSession>;

export interface ConfigOption {
	readonly id: string;
	readonly name: string;
	readonly value: string;
	readonly choices: readonly { readonly value: string; readonly name: string }[];
}

export interface SlashCommand {
	readonly name: string;
	readonly description: string;
}

export interface TurnAnswers {
	permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
	/** Returns the next prompt of the same turn; `undefined` when the turn is over. */
	goOn(answer: PromptResponse): readonly ContentBlock[] | undefined;
}

export interface TurnListener extends TurnAnswers {
	begin(): Promise<void>;
	update(update: SessionUpdate): void;
}

export interface SessionPlace {
	readonly id: string;
	readonly cwd: string;
	/** Folder in which the CLI stores the session. */
	readonly folder: string;
	hasCommand(tool: string): boolean;
}

/** Denies a single call; the turn continues. */
export const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/** A canceled agent usually answers within milliseconds, so a longer wait is useless. */
const CANCEL_MS = 2000;

export function createCliSession(
	client: AcpClient,
	place: SessionPlace,
	port: { mayAllowAll(): Promise<boolean>; onLost?(): void },
) {
	const state: SessionState = { options: [], commands: [] };
	// Turns are queued, because a second prompt would make the CLI drop the first prompt.
	const queue = createLine();
	const setOption = async (configId: string, value: string) => {
		const params = { sessionId: place.id, configId, value };
		const answer = await client.request(methods.agent.session.setConfigOption, params);
		state.options = optionsIn(answer) ?? state.options;
	};
	/** Turns off "allow all" unless a rule allows it: the CLI restores it from disk, and some modes turn it on. */
	const forbidAllowAll = async () => {
		const isOn = state.options.some(({ id, value }) => id === ALLOW_ALL && value === "on");
		if (isOn && !(await port.mayAllowAll())) await setOption(ALLOW_ALL, "off");
	};
	client.listen(place.id, {
		update: (update) => {
			noteUpdate(state, update);
			// If turning the option off fails here, the running turn reports the problem.
			if (update.sessionUpdate === "config_option_update") void forbidAllowAll().catch(() => undefined);
			state.turn?.update(update);
		},
		permission: async (request) => state.turn?.permission(request) ?? CANCELLED,
		lost: (failure) => {
			state.lost = failure;
			port.onLost?.();
		},
	});
	return {
		...place,
		options: () => state.options,
		commands: () => state.commands,
		setOption: (id: string, value: string) => setOption(id, value).then(forbidAllowAll),
		/** Runs a turn after earlier turns. Resolves with `cancelled` on abort; rejects with a `Failure`. */
		prompt: (blocks: readonly ContentBlock[], listener: TurnListener, wait: Waiting) =>
			queue.run(async () => {
				if (state.lost) throw state.lost;
				await forbidAllowAll();
				state.turn = listener;
				try {
					const ask = (next: readonly ContentBlock[]) => promptOnce(client, place.id, next, wait.signal);
					return await promptUntilDone(ask, blocks, listener, wait.signal);
				} finally {
					delete state.turn;
				}
			}, wait),
		usageOf: createUsageMeter(),
		cancel: () => client.cancel(place.id),
		isLost: () => state.lost !== undefined,
		isBusy: queue.isBusy,
		take: async (answer: unknown) => {
			state.options = optionsIn(answer) ?? state.options;
			await forbidAllowAll();
		},
	};
}

/** Computes the tokens of a single turn, because the agent reports totals over all turns of a session. */
function createUsageMeter() {
	let before = { inputTokens: 0, outputTokens: 0 };
	return (answer: PromptResponse) => {
		const usage = fieldOf(answer, "usage");
		const inputTokens = numberOf(usage, "inputTokens");
		const outputTokens = numberOf(usage, "outputTokens");
		if (inputTokens === undefined || outputTokens === undefined) return undefined;
		const event = {
			kind: "usage" as const,
			inputTokens: Math.max(0, inputTokens - before.inputTokens),
			outputTokens: Math.max(0, outputTokens - before.outputTokens),
		};
		before = { inputTokens, outputTokens };
		return event;
	};
}

interface SessionState {
	turn?: TurnListener;
	options: readonly ConfigOption[];
	commands: readonly SlashCommand[];
	lost?: Failure;
}

function noteUpdate(state: SessionState, update: SessionUpdate): void {
	const kind = update.sessionUpdate;
	if (kind === "config_option_update") state.options = optionsIn(update) ?? state.options;
	if (kind === "available_commands_update")
		state.commands = listOf(update, "availableCommands").flatMap(toCommand);
}

function toCommand(command: unknown): SlashCommand[] {
	const name = textOf(command, "name");
	return name === undefined ? [] : [{ name, description: textOf(command, "description") ?? "" }];
}

async function promptUntilDone(
	ask: (blocks: readonly ContentBlock[]) => Promise<PromptResponse>,
	blocks: readonly ContentBlock[],
	listener: TurnListener,
	signal: AbortSignal,
): Promise<PromptResponse> {
	await listener.begin();
	if (signal.aborted) return { stopReason: "cancelled" };
	let answer = await ask(blocks);
	for (let next = listener.goOn(answer); next && !signal.aborted; next = listener.goOn(answer))
		answer = await ask(next);
	return answer;
}

/** Aborting the signal ends the turn at the agent first, and then here. */
async function promptOnce(
	client: AcpClient,
	sessionId: string,
	blocks: readonly ContentBlock[],
	signal: AbortSignal,
): Promise<PromptResponse> {
	const prompt = { sessionId, prompt: [...blocks], _meta: outgoingTrace() };
	const answer = client.request(methods.agent.session.prompt, prompt);
	const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<PromptResponse>();
	using _ = addAbortListener(signal, async () => {
		void client.cancel(sessionId);
		const ended = answer.catch(() => undefined);
		if (!(await endsWithin(ended, CANCEL_MS))) giveUp({ stopReason: "cancelled" });
	});
	return await Promise.race([answer, givenUp]);
}

/** Id of the option that makes the CLI run every tool without asking. */
export const ALLOW_ALL = "allow_all";

function optionsIn(message: unknown): ConfigOption[] | undefined {
	const options = listOf(message, "configOptions");
	return options.length === 0 ? undefined : options.flatMap(toOption);
}

function toOption(option: unknown): ConfigOption[] {
	const id = textOf(option, "id");
	const value = textOf(option, "currentValue");
	if (id === undefined || value === undefined) return [];
	const choices = listOf(option, "options").flatMap((item) => [item, ...listOf(item, "options")]);
	return [{ id, name: textOf(option, "name") ?? id, value, choices: choices.flatMap(toChoice) }];
}

function toChoice(choice: unknown): ConfigOption["choices"] {
	const value = textOf(choice, "value");
	return value === undefined ? [] : [{ value, name: textOf(choice, "name") ?? value }];
}

/** Requires a rule that names this option, because other rules are not applied while the option is on. */
export async function mayAllowAll(
	permissions: Permissions,
	{ session, workspace }: { readonly session: string; readonly workspace: string },
): Promise<boolean> {
	const { effect, rule } = await permissions.verdictFor({
		channel: "cli",
		tool: ALLOW_ALL,
		title: "Run every tool without asking",
		arguments: [],
		session,
		workspace,
		mutates: true,
	});
	return effect === "allow" && rule?.tool === ALLOW_ALL;
}
