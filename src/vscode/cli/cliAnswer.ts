import * as vscode from "vscode";
import type { SlashCommand } from "../../acp/turn/session/cliSession.ts";
import { citeEvents } from "../../agent/loop/citationStream.ts";
import { isFailure } from "../../base/failure.ts";
import { escapeMarkdown, visibleText } from "../../base/text/visibleText.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import { OUR_TOOLS_ON_CLI } from "../../core/agent/ourTools.ts";
import { askButton, beginChat } from "../models/passagesModel.ts";
import { readReferences } from "../turn/attachments.ts";
import { citedIn, historySinceCli } from "../turn/chatHistory.ts";
import type { SessionInstructions } from "../turn/sessionInstructions.ts";
import type { Answer } from "../turn/turnRecord.ts";
import { readWanted, type WantedOption } from "./chosenOptions.ts";
import { createCliEventView } from "./eventView.ts";

export interface CliChat {
	engine(): Promise<{
		runnerFor(chat: string): Runner;
		hasCommand(chat: string, tool: string): boolean;
		choose(chat: string, wanted: readonly WantedOption[]): Promise<void>;
	}>;
	choices(chat: string): Promise<string | undefined>;
	commands(): Promise<readonly SlashCommand[]>;
}

interface CliAnswerDeps {
	readonly cli: CliChat;
	readonly instructions: SessionInstructions;
}

export const answerOnCli: Answer<CliAnswerDeps> = async ({ cli, instructions }, turn, signal) => {
	const { request, prompt, context, stream, session, show, steering } = turn;
	const view = createCliEventView(stream);
	const { wanted, question } = readWanted(prompt);
	try {
		const engine = await cli.engine();
		if (wanted.length > 0) await engine.choose(session, wanted);
		if (question === "") return;
		const { attachments, images } = await readReferences(request.references);
		const history = historySinceCli(context);
		const given = { history, instructions: await instructions.of(session, signal), attachments, images };
		const told = engine.runnerFor(session)({ question, steering, ...given }, signal);
		const isOurs = (tool: string) => OUR_TOOLS_ON_CLI.has(tool) || engine.hasCommand(session, tool);
		for await (const event of citeEvents(told, { before: citedIn(context), isOurs })) {
			view.before(event);
			show(event);
			view.show(event);
		}
	} catch (thrown) {
		if (isFailure(thrown)) offerRemedies(thrown.code, prompt, stream);
		throw thrown;
	} finally {
		view.end();
	}
};

/** Shows the agent, mode and model as a button. VS Code treats text after a button as the whole answer. */
export async function offerChoices(cli: CliChat, session: string, stream: vscode.ChatResponseStream) {
	const title = await cli.choices(session);
	if (title) stream.button({ command: "copilot-ld.chooseCliOption", title, arguments: [session] });
}

function offerRemedies(code: string, question: string, stream: vscode.ChatResponseStream): void {
	if (code === "CLI_SIGN_IN")
		stream.button({
			command: "copilot-ld.signInToCli",
			title: vscode.l10n.t("Sign In"),
			arguments: [`@copilot-ld /cli ${question}`],
		});
	if (code === "MODEL_FAILED" || code.startsWith("CLI_"))
		stream.button(askButton(vscode.l10n.t("Ask Without the CLI"), `@copilot-ld ${question}`));
}

type Commands = { readonly commands: CliChat["commands"] };

export async function showCliCommands(cli: Commands, stream: vscode.ChatResponseStream): Promise<void> {
	const lines = (await usable(cli)).map(
		({ name, description }) => `- \`/cli /${name}\` ${escapeMarkdown(description)}`,
	);
	stream.markdown(
		`${vscode.l10n.t("Commands of the Copilot CLI in this session:")}\n\n${lines.join("\n")}\n\n`,
	);
	stream.button({ command: "copilot-ld.chooseCliCommand", title: vscode.l10n.t("Choose Command") });
}

export async function chooseCliCommand(cli: Commands): Promise<void> {
	const items = (await usable(cli)).map(({ name, description }) => ({
		label: `/${name}`,
		detail: visibleText(description.replace(/\s+/g, " ").trim()),
	}));
	const options = { placeHolder: vscode.l10n.t("Select a command of the Copilot CLI"), matchOnDetail: true };
	const chosen = await vscode.window.showQuickPick(items, options);
	if (!chosen) return;
	await beginChat(`@copilot-ld /cli ${chosen.label} `);
}

/** Lists commands by name. Omits names of several words, which a folder may have added. */
async function usable(cli: Commands): Promise<SlashCommand[]> {
	const commands = (await cli.commands()).filter(({ name }) => /^[\p{L}\p{N}_:.-]+$/u.test(name));
	return commands.sort((a, b) => a.name.localeCompare(b.name));
}
