import type { ViewRequest } from "../../src/protocol/webview.ts";
import { type MemoryEvent, type Step, stay } from "../model/event.ts";
import type { MemoryState, ViewState } from "../model/state.ts";

/** What a person does with the facts. */
export function reduceMemory(state: ViewState, event: MemoryEvent): Step {
	switch (event.kind) {
		case "factsFiltered":
			return stay(withMemory(state, { text: event.text }));
		case "editBegun":
			return { ...stay(withMemory(state, { editing: event.fact })), focus: "edit" };
		case "editEnded":
			return endEdit(state, event.text);
	}
}

function endEdit(state: ViewState, text: string | undefined): Step {
	const { editing, facts } = state.memory;
	const wanted = text?.trim();
	const isNew = editing && wanted && wanted !== facts?.find(({ id }) => id === editing)?.text;
	const requests: ViewRequest[] = isNew ? [{ kind: "editFact", fact: editing, text: wanted }] : [];
	return {
		...stay(withMemory(state, { editing: undefined }), ...requests),
		...(editing && { focus: `edit-${editing}` }),
	};
}

export function withMemory(state: ViewState, part: Partial<MemoryState>): ViewState {
	return { ...state, memory: { ...state.memory, ...part } };
}
