import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { type ElicitResult, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { RecordCall } from "../../agent/call/toolCall.ts";
import { createTurnTracer } from "../../agent/loop/turnTracer.ts";
import { messageOf } from "../../base/failure.ts";
import { createCallsAtWork } from "../../base/jobs/callsAtWork.ts";
import { follow } from "../../base/jobs/follow.ts";
import { once } from "../../base/jobs/lazily.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import { endsWithin } from "../../base/jobs/untilAborted.ts";
import { secretsKnownHere } from "../../base/program/knownSecrets.ts";
import { workPlaceOf } from "../../base/program/runProgram.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { PermissionRequest } from "../../core/permission/permission.ts";
import {
	PLUGINS_FOLDER,
	type PluginCommand,
	type PluginDefinition,
	type PluginFiles,
	type PluginRegistry,
} from "../../core/plugin/plugin.ts";
import { personHome } from "../../loads/cliHome.ts";
import { skillPlace } from "../../loads/skillFiles.ts";
import type { AskPerson, PersonsAnswer } from "../../permissions/decide.ts";
import { openPermissionsOutside } from "../../permissions/openPermissions.ts";
import { createPluginConsents } from "../../permissions/records/pluginConsents.ts";
import { createResources, createStartResource } from "../../plugins/resources/resources.ts";
import { requireAgreed } from "../../plugins/share/requireAgreed.ts";
import type { McpArguments } from "../../protocol/worker.ts";
import { type McpRun, tell } from "../arguments/mcpRun.ts";
import { openClientJournal } from "./clientJournal.ts";
import { openService } from "./knowledgeService.ts";

export type Places = ReturnType<typeof openPlaces>;

export function openPlaces(run: McpRun, client: () => Server) {
	const { args, workspace } = run;
	const clientName = () => {
		const { title, name } = client().getClientVersion() ?? {};
		return title ?? name;
	};
	const traces = args.otlp && openTraces(run, args.otlp);
	const service = openService(run, clientName, traces?.inner);
	return {
		run,
		client,
		traces,
		service,
		plugins: openPlugins(run, service.plugins, () => client().sendToolListChanged()),
		skills: skillPlace(service.agents, () => run.paths),
		journal: openClientJournal(run, service.sessions, clientName),
		permissions: openPermissionsOutside(permissionsFolder(run), workspace, args.allowed),
		ask: askByElicitation(client),
	};
}

function permissionsFolder({ args: { permissions }, options }: McpRun): string {
	return permissions ? resolve(permissions) : join(options.dataFolder, "permissions");
}

export function consentsOf(run: McpRun) {
	const { agreed = [] } = run.args;
	return createPluginConsents({ folder: permissionsFolder(run), workspaceUri: () => run.workspace, agreed });
}

/** Opens the plugins. Does not start the worker if there are none. */
function openPlugins(run: McpRun, files: PluginFiles, tellChange: () => Promise<void>) {
	const { paths } = run;
	const consents = consentsOf(run);
	const places = [...paths, personHome(process.env)];
	const areThere = () => places.some((place) => existsSync(join(place, PLUGINS_FOLDER)));
	// Ignore clients that have disconnected or not connected yet.
	const onChange = () => void tellChange().catch(() => undefined);
	const followed = follow(files, { onChange });
	const placeOf = ({ source }: PluginDefinition) => workPlaceOf(source.uri, paths);
	const resources = createResources(createStartResource(placeOf));
	return {
		registry: async (signal: AbortSignal) => {
			const found = areThere() ? await followed.registry(signal) : NONE;
			await resources.keep(found.plugins);
			return found;
		},
		resources,
		forget: followed.forget,
		// The user who starts this program chooses folders, but does not thereby agree to run their programs.
		requireRun: (plugin: PluginDefinition, command: PluginCommand) =>
			requireAgreed({ ...consents, followed }, plugin, command),
		consentStateOf: consents.consentStateOf,
		placeOf,
		calls: createCallsAtWork(),
		close: () => {
			followed.close();
			void resources.close();
		},
	};
}

/** A constant object, so that callers detect no change. */
const NONE: PluginRegistry = { plugins: [], problems: [] };

/** Maximum milliseconds to wait for the collector at exit. */
const CLOSING_MS = 2000;

function openTraces(
	{ programs, secrets }: McpRun,
	{ endpoint, contents = false }: NonNullable<McpArguments["otlp"]>,
) {
	const telemetry = once(async () => {
		const { createTelemetry } = await import("../../telemetry/telemetry.ts");
		return createTelemetry({
			version: programs.version,
			endpoint: () => endpoint,
			contents: () => contents,
			known: async () => secretsKnownHere(secrets.values),
			warn: tell,
		});
	});
	const tracer = createTurnTracer({
		keepsTexts: () => contents,
		onEnd: (trace) => {
			telemetry
				.get()
				.then(({ send }) => send(trace))
				.catch((thrown: unknown) => tell(messageOf(thrown)));
		},
	});
	return {
		...tracer,
		recording: (record: RecordCall = (_, run) => run()): RecordCall => {
			return (call, run) => {
				const { tool, input, context } = call;
				return tracer.call({ title: tool.name, input }, context.signal, () => record(call, run));
			};
		},
		close: async () => {
			const opened = await telemetry.peek()?.catch(() => undefined);
			if (opened) await endsWithin(opened.close(), CLOSING_MS);
		},
	};
}

/** Milliseconds to wait for the user, who may be away. */
const PATIENCE_MS = 10 * 60_000;

/** Maximum characters of a question. A client might hide a part of a longer question, so none is asked. */
const MOST_CHARACTERS = 8000;

/** Asks the user through the client, one question at a time. If the client cannot ask, the answer is `undefined`. */
function askByElicitation(clientNow: () => Server): AskPerson {
	const line = createMutex();
	return (question, signal) =>
		line.run(async () => {
			signal.throwIfAborted();
			const message = wordsFor(question.request);
			const canAsk = clientNow().getClientCapabilities()?.elicitation?.form !== undefined;
			if (!canAsk || message.length > MOST_CHARACTERS) return undefined;
			// The answer to the previous question may have decided this one.
			if (!(await question.isOpen())) return { kind: "ruled" };
			return toAnswer(await elicit(clientNow(), message, signal));
		});
}

function toAnswer(answer: ElicitResult | undefined): PersonsAnswer | undefined {
	if (!answer || answer.action === "cancel") return undefined;
	return { kind: answer.action === "accept" && answer.content?.["allow"] === true ? "once" : "deny" };
}

async function elicit(client: Server, message: string, signal: AbortSignal) {
	const allow = { type: "boolean", title: "Allow it, this once", default: false } as const;
	const requestedSchema = { type: "object" as const, properties: { allow }, required: ["allow"] };
	try {
		return await client.elicitInput({ message, requestedSchema }, { signal, timeout: PATIENCE_MS });
	} catch (thrown) {
		signal.throwIfAborted();
		// If the client cannot ask, or the question times out, the call is not allowed.
		if (thrown instanceof McpError) return undefined;
		throw thrown;
	}
}

/** Lists all arguments, because the title may be shortened. */
function wordsFor({ agent, tool, title, arguments: named }: PermissionRequest): string {
	const who = agent === undefined ? "Copilot-LD" : `The agent ${agent}`;
	const all = named.flatMap(({ value }) => (title.includes(value) ? [] : [value]));
	return [`${who} wants to use ${tool}: ${title}`, ...all].map(visibleText).join("\n");
}
