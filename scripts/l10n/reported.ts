import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.ts";
import { textsOf } from "./texts.ts";

/**
 * Where sentences are made that a person meets most, and that VS Code is not known: they stay English there, and
 * `src/vscode/reported.ts` recognizes them.
 */
const SOURCES = [
	"src/acp/link/{acpClient,agentFailure,findCli,tcpLink}.ts",
	"src/acp/turn/{modelFailure,guard/watch}.ts",
	"src/base/files/fileError.ts",
	"src/core/knowledge/searchSummary.ts",
	"src/evidence/summary.ts",
	"src/graph/sparql/{sparql,sparqlRequest}.ts",
	"src/knowledge/{parseDocument,texts/delimited,html/markupReaders,html/statements,markdown/frontMatter}.ts",
	"src/knowledge/office/{docx,epub,extract,openDocument,openSheets,pptx,rtf,xlsx,zip}.ts",
	"src/knowledge/office/pdf/{openPdf,readPdf}.ts",
	"src/knowledge/rdf/{readRdfXml,jsonLd/{jsonLd,jsonLdStatements,jsonScan,locatedJson,readJsonLdDocument}}.ts",
	"src/passages/{passages,tell}.ts",
	"src/protocol/{failure,readiness}.ts",
	"src/retrieve/{legs,look,search,searchChoice}.ts",
	"src/sessions/facts/facts.ts",
	"src/sessions/journal/journals.ts",
	"src/store/{engines,openStore,tables/query,database/database}.ts",
	"src/worker/{openIndex,storage,storedIndex}.ts",
	"src/worker/answers/{answers,catalog,doors,problems,read,rename,shapes,status}.ts",
	"src/worker/descriptions/descriptorKeeper.ts",
	"src/worker/embedding/{models,questionEmbedder,vectorKeeper}.ts",
	"src/worker/files/{discover,explainAbsence,fileError,folderConfig,refusal,reservation,sources}.ts",
	"src/worker/indexing/requireLock.ts",
	"src/worker/parsing/{parserProcess,withinLimits}.ts",
];

/** Words of these files that no person meets. */
const FOR_OTHERS = new Set<string>(
	JSON.parse(readFileSync(join(root, "scripts/l10n/notForPeople.json"), "utf8")),
);

/** The sentences as keys, with a numbered place for each expression. */
export function reportedTexts(): string[] {
	return globSync(SOURCES, { cwd: root }).flatMap((file) =>
		textsOf(file, readFileSync(join(root, file), "utf8"))
			.bare.map(({ text }) => numbered(text))
			.filter((text) => !FOR_OTHERS.has(text)),
	);
}

function numbered(text: string): string {
	let at = 0;
	return text.replaceAll("{}", () => `{${at++}}`);
}
