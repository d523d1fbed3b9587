import * as vscode from "vscode";
import { l10n } from "vscode";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import type { AskUser, UserQuestion } from "../../core/agent/userQuestion.ts";
import { counted } from "../l10n.ts";
import { registerEach } from "../registerEach.ts";

export interface Question<Answer> {
	readonly who: string;
	readonly what: string;
	/** Opens a pick without a title. The answer is `undefined` if the pick was hidden. */
	open(): { readonly pick: TitledPick; readonly answer: Promise<Answer | undefined> };
	/** Called before the question is shown: resolves to an answer if the user need not be asked any more. */
	settled?(): Promise<Answer | undefined>;
}

interface TitledPick {
	title: string | undefined;
	show(): void;
	dispose(): void;
}

interface WaitingQuestion extends Question<unknown> {
	pick?: TitledPick | undefined;
	isSettled: boolean;
	/** Answers the question, unless the answer is `undefined`. */
	settle(answer: unknown): void;
	fail(thrown: unknown): void;
}

/** The queue of a window's questions, of which one is shown. A hidden question waits for its answer. */
type QuestionQueue = ReturnType<typeof createQuestionQueue>;

export function createQuestionQueue(onChange: () => void) {
	const waiting: WaitingQuestion[] = [];
	let isHidden = false;
	let isAdvancing = false;
	const shown = () => waiting.find(({ pick }) => pick !== undefined);
	const changed = () => {
		const question = shown();
		if (question?.pick) question.pick.title = titleOf(question, waiting);
		onChange();
		void advance();
	};
	const remove = (question: WaitingQuestion) => {
		close(question);
		if (!waiting.includes(question)) return;
		waiting.splice(waiting.indexOf(question), 1);
		isHidden &&= waiting.length > 0;
		changed();
	};
	const setHidden = (hidden: boolean) => {
		isHidden = hidden;
		changed();
	};
	const show = (question: WaitingQuestion) =>
		open(question, waiting, () => (question.isSettled ? remove(question) : setHidden(true)));
	const next = () => (isHidden || shown() ? undefined : waiting[0]);
	/** Shows the first question that still has to be asked, if none is shown. */
	const advance = async () => {
		if (isAdvancing) return;
		isAdvancing = true;
		for (let question = next(); question; question = next()) {
			await question.settled?.().then(question.settle, question.fail);
			if (question.isSettled) remove(question);
			else if (question === next()) show(question);
		}
		isAdvancing = false;
	};
	return {
		ask: async <Answer>(asked: Question<Answer>, signal: AbortSignal) => {
			const { question, answer } = toWaiting(asked, signal);
			waiting.push(question);
			changed();
			return answer.finally(() => remove(question));
		},
		waiting: (): readonly WaitingQuestion[] => waiting,
		isHidden: () => isHidden,
		show: () => {
			setHidden(false);
			shown()?.pick?.show();
		},
	};
}

/** Calls `onEnd` when the question is answered or hidden, but not if it was closed before. */
function open(question: WaitingQuestion, waiting: readonly WaitingQuestion[], onEnd: () => void): void {
	const { pick, answer } = question.open();
	answer.then((given) => {
		question.settle(given);
		if (question.pick !== pick) return;
		close(question);
		onEnd();
	}, question.fail);
	pick.title = titleOf(question, waiting);
	pick.show();
	question.pick = pick;
}

function close(question: WaitingQuestion): void {
	const { pick } = question;
	question.pick = undefined;
	pick?.dispose();
}

function titleOf(question: WaitingQuestion, waiting: readonly WaitingQuestion[]): string {
	const { who } = question;
	if (waiting.length === 1) return who;
	return `${l10n.t("{0} of {1}", waiting.indexOf(question) + 1, waiting.length)} · ${who}`;
}

function toWaiting<Answer>(asked: Question<Answer>, signal: AbortSignal) {
	signal.throwIfAborted();
	const { promise, resolve, reject } = Promise.withResolvers<Answer>();
	const question: WaitingQuestion = {
		...asked,
		isSettled: false,
		settle: (answer: Answer | undefined) => {
			if (answer === undefined) return;
			question.isSettled = true;
			resolve(answer);
		},
		fail: (thrown) => {
			question.isSettled = true;
			reject(thrown);
		},
	};
	return { question, answer: untilAborted(promise, signal) };
}

export type Questions = ReturnType<typeof registerQuestions>;

const WORDS_SHOWN = 60;

export function registerQuestions() {
	const names = new Map<string, string>();
	const item = vscode.window.createStatusBarItem("copilot-ld.questions", vscode.StatusBarAlignment.Left);
	item.name = vscode.l10n.t("Copilot-LD Questions");
	item.command = "copilot-ld.showQuestions";
	item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
	const queue = createQuestionQueue(() => tell());
	const remind = createReminder(queue);
	const tell = () => {
		const waiting = queue.waiting();
		item.text = `$(question) ${countText(waiting.length)}`;
		item.tooltip = waiting.map(({ who, what }) => `${what} (${who})`).join("\n");
		if (waiting.length > 0) item.show();
		else item.hide();
		remind();
	};
	const commands = registerEach({ "copilot-ld.showQuestions": () => showQuestions(queue) });
	return {
		ask: queue.ask,
		name: (session: string, words: string) =>
			void names.set(session, boundedText(visibleText(words), WORDS_SHOWN)),
		whoIs: (session = "", agent = "Copilot CLI") => {
			const words = names.get(session);
			const who = boundedText(visibleText(agent), WORDS_SHOWN);
			return words === undefined ? who : `${who}, “${words}”`;
		},
		dispose: () => vscode.Disposable.from(item, commands).dispose(),
	};
}

function createReminder(queue: QuestionQueue): () => void {
	let told = 0;
	const show = vscode.l10n.t("Show");
	return () => {
		const count = queue.waiting().length;
		const isNew = queue.isHidden() && count > told;
		told = queue.isHidden() ? count : 0;
		if (!isNew) return;
		const text = `Copilot-LD: ${countText(count)}. ${vscode.l10n.t("Nothing is denied until you decide.")}`;
		void vscode.window.showInformationMessage(text, show).then((pressed) => {
			if (pressed === show) showQuestions(queue);
		});
	};
}

function showQuestions(queue: QuestionQueue): void {
	if (queue.waiting().length > 0) queue.show();
	else void vscode.window.showInformationMessage(vscode.l10n.t("Copilot-LD: no questions are waiting."));
}

const countText = counted(
	vscode.l10n.t("1 question is waiting for you"),
	vscode.l10n.t("{0} questions are waiting for you"),
);

const LISTED = 80;

export function createAskUser(questions: Questions, session: string): AskUser {
	return async (question, signal) => {
		const asked = {
			who: vscode.l10n.t("{0} asks", questions.whoIs(session)),
			what: boundedText(visibleText(question.question), LISTED),
			open: () => openPick(question),
		};
		return (await questions.ask(asked, signal)).words;
	};
}

interface Answer {
	/** Absent if the user does not want to answer. */
	readonly words?: string;
}

function openPick(question: UserQuestion): ReturnType<Question<Answer>["open"]> {
	const { promise: answer, resolve } = Promise.withResolvers<Answer | undefined>();
	const pick = vscode.window.createQuickPick<vscode.QuickPickItem & Answer>();
	const { choices, allowFreeform } = question;
	const given = choices.map((words) => ({ label: visibleText(words), words }));
	pick.prompt = visibleText(question.question);
	pick.placeholder = placeholderFor(question);
	pick.buttons = [
		{ iconPath: new vscode.ThemeIcon("circle-slash"), tooltip: vscode.l10n.t("Do Not Answer") },
	];
	pick.items = given;
	// The user may look something up first.
	pick.ignoreFocusOut = true;
	pick.onDidChangeValue((value) => {
		const words = value.trim();
		const description = vscode.l10n.t("Your own answer");
		const own = { label: visibleText(words), description, words, alwaysShow: true };
		if (allowFreeform) pick.items = words === "" ? given : [...given, own];
	});
	pick.onDidAccept(() => {
		const [chosen] = pick.selectedItems;
		if (chosen) resolve(chosen);
	});
	pick.onDidTriggerButton(() => resolve({}));
	pick.onDidHide(() => resolve(undefined));
	return { pick, answer };
}

function placeholderFor({ choices, allowFreeform }: UserQuestion): string {
	if (choices.length === 0) return vscode.l10n.t("Enter your answer");
	if (allowFreeform) return vscode.l10n.t("Select an answer, or type another one");
	return vscode.l10n.t("Select an answer");
}
