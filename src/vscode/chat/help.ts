import { l10n } from "vscode";

/** What `@copilot-ld` alone is answered. */
export const HELP = l10n.t(
	"I answer questions about the linked data and documents of this folder, and cite the exact lines.\n\n- Ask anything: `@copilot-ld who wrote the maintenance guide?`\n- `/search` shows the best passages, without a language model.\n- `/quote` answers in the documents' own words, without a language model.\n- `/graph` answers with a SPARQL query: yours, or one that the model writes for your question.\n- `/cli` hands the question to the GitHub Copilot CLI, which can change files and run commands; it asks you first. `/cli /` lists its own commands.\n- `/index` updates the index.\n- `/remember` remembers a fact for later sessions, or shows what is remembered.\n- `/instructions` sets instructions for every answer in this chat, or shows them.\n- `/resume` resumes an earlier session.",
);

export const OPEN_SAMPLE = { command: "copilot-ld.openSample", title: l10n.t("Open Sample Knowledge Base") };
