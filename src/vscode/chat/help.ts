/** What `@copilot-ld` alone is answered. */
export const HELP = `I answer questions about the linked data and documents of this folder, and cite the lines that say so.

- Ask anything: \`@copilot-ld who wrote the maintenance guide?\`
- \`/search\` shows the best passages, without a language model.
- \`/quote\` answers in the documents' own words, without a language model.
- \`/graph\` answers with a SPARQL query: yours, or one that the model writes for your question.
- \`/cli\` hands the question to the GitHub Copilot CLI, which can change files and run commands; it asks you first. \`/cli /\` lists its own commands.
- \`/index\` updates the index.
- \`/remember\` keeps a sentence for later sessions, or shows what is kept.
- \`/instructions\` sets what you want of every answer in this chat, or shows it.
- \`/resume\` goes on with an earlier session.`;

/** Where there is nothing to ask about. */
export const OPEN_SAMPLE = { command: "copilot-ld.openSample", title: "Open Sample Knowledge Base" };
