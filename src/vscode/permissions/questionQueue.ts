import { l10n, type QuickPick, type QuickPickItem } from "vscode";

export interface ShownQuestion<Answer> extends QuestionView {
	/** Resolves with nothing if it was hidden without an answer. */
	readonly answer: Promise<Answer | undefined>;
}

interface QuestionView {
	retitle(title: string): void;
	focus(): void;
	close(): void;
}

/** Shows a pick, whose title may change with the number of questions that wait. */
export function shownPick<Answer>(
	pick: QuickPick<QuickPickItem>,
	answer: Promise<Answer | undefined>,
): ShownQuestion<Answer> {
	pick.show();
	return {
		answer,
		retitle: (changed) => {
			pick.title = changed;
		},
		focus: () => pick.show(),
		close: () => pick.dispose(),
	};
}

export interface Question<Answer> {
	readonly who: string;
	readonly what: string;
	show(title: string): ShownQuestion<Answer>;
	/** Called before the question is shown: resolves to the answer if the user need not be asked any more. */
	settled?(): Promise<Answer | undefined>;
}

interface WaitingQuestion {
	readonly id: number;
	readonly who: string;
	readonly what: string;
}

/** The questions of a window, one of them on the screen. One that is hidden waits: only an answer answers it. */
export type QuestionQueue = ReturnType<typeof createQuestionQueue>;

interface Entry extends WaitingQuestion {
	/** Resolves whether it is settled without being shown. */
	settle(): Promise<boolean>;
	/** Calls back when it was answered, or hidden. */
	show(title: string, onEnd: (isAnswered: boolean) => void): QuestionView;
}

export function createQuestionQueue(onChange: () => void) {
	const line = createAskingLine(onChange);
	let made = 0;
	return {
		/** Rejects with the signal's reason if it is aborted before there is an answer. */
		ask: async <Answer>(question: Question<Answer>, signal: AbortSignal) => {
			signal.throwIfAborted();
			const { entry, answer } = entryFor(question, ++made, signal);
			line.add(entry);
			return answer.finally(() => line.remove(entry));
		},
		/** In the order in which they are shown. */
		waiting: line.waiting,
		isHidden: line.isHidden,
		/** Shows the first again, or the one with this id. */
		show: line.show,
	};
}

/** The waiting entries. The first one is shown, unless the user has put the questions aside. */
function createAskingLine(onChange: () => void) {
	const waiting: Entry[] = [];
	const stage = createStage();
	let isHidden = false;
	let isAdvancing = false;
	const titleOf = (entry: Entry) =>
		waiting.length > 1
			? `${l10n.t("{0} of {1}", waiting.indexOf(entry) + 1, waiting.length)} · ${entry.who}`
			: entry.who;
	const next = () => (isHidden || stage.has() ? undefined : waiting[0]);
	const changed = () => {
		stage.retitle(titleOf);
		onChange();
		void advance();
	};
	const remove = (entry: Entry) => {
		if (stage.has(entry)) stage.close();
		const index = waiting.indexOf(entry);
		if (index < 0) return;
		waiting.splice(index, 1);
		if (waiting.length === 0) isHidden = false;
		changed();
	};
	const setHidden = (hidden: boolean) => {
		if (hidden) stage.close();
		isHidden = hidden;
		changed();
	};
	/** Shows the first that still has to be asked, if none is shown. */
	const advance = async () => {
		if (isAdvancing) return;
		isAdvancing = true;
		for (let entry = next(); entry; entry = next()) {
			if (await entry.settle()) remove(entry);
			else if (entry === next())
				stage.show(entry, titleOf(entry), { answered: remove, hidden: () => setHidden(true) });
		}
		isAdvancing = false;
	};
	const add = (entry: Entry) => {
		waiting.push(entry);
		changed();
	};
	const show = (id?: number) => {
		if (toFront(waiting, id)) stage.close();
		setHidden(false);
		stage.focus();
	};
	return { waiting: (): readonly WaitingQuestion[] => waiting, isHidden: () => isHidden, add, remove, show };
}

/** Whether another one is the first now. */
function toFront(entries: Entry[], id: number | undefined): boolean {
	const index = entries.findIndex((entry) => entry.id === id);
	if (index > 0) entries.unshift(...entries.splice(index, 1));
	return index > 0;
}

function createStage() {
	let shown: { readonly entry: Entry; readonly view: QuestionView } | undefined;
	return {
		has: (entry?: Entry) => shown !== undefined && (entry === undefined || shown.entry === entry),
		show: (entry: Entry, title: string, ends: { answered(entry: Entry): void; hidden(): void }) => {
			const view = entry.show(title, (isAnswered) => {
				if (isAnswered) ends.answered(entry);
				else if (shown?.view === view) ends.hidden();
			});
			shown = { entry, view };
		},
		retitle: (titleOf: (entry: Entry) => string) => shown?.view.retitle(titleOf(shown.entry)),
		focus: () => shown?.view.focus(),
		close: () => {
			const closing = shown?.view;
			shown = undefined;
			closing?.close();
		},
	};
}

function entryFor<Answer>({ who, what, ...question }: Question<Answer>, id: number, signal: AbortSignal) {
	const { promise, resolve, reject } = Promise.withResolvers<Answer>();
	const withdraw = () => reject(signal.reason);
	signal.addEventListener("abort", withdraw);
	const answerWith = (answer: Answer | undefined) => {
		if (answer !== undefined) resolve(answer);
		return answer !== undefined;
	};
	const entry: Entry = {
		id,
		who,
		what,
		settle: async () => {
			try {
				return answerWith(await question.settled?.());
			} catch (thrown) {
				reject(thrown);
				return true;
			}
		},
		show: (title, onEnd) => {
			const view = question.show(title);
			view.answer.then((answer) => onEnd(answerWith(answer)), reject);
			return view;
		},
	};
	return { entry, answer: promise.finally(() => signal.removeEventListener("abort", withdraw)) };
}
