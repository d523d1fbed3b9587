import * as vscode from "vscode";
import { tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { wordList } from "../../base/words/wordList.ts";

/** Keywords and functions of SPARQL 1.1. */
const WORDS = wordList(`
	SELECT CONSTRUCT DESCRIBE ASK WHERE PREFIX BASE DISTINCT REDUCED FROM NAMED OPTIONAL UNION MINUS GRAPH SERVICE FILTER
	EXISTS NOT BIND AS VALUES UNDEF GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET IN COUNT SUM MIN MAX AVG SAMPLE
	GROUP_CONCAT SEPARATOR STR LANG LANGMATCHES DATATYPE BOUND IRI URI BNODE RAND ABS CEIL FLOOR ROUND CONCAT STRLEN
	UCASE LCASE ENCODE_FOR_URI CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER YEAR MONTH DAY HOURS MINUTES SECONDS
	TIMEZONE TZ NOW UUID STRUUID MD5 SHA1 SHA256 SHA384 SHA512 COALESCE IF STRLANG STRDT SAMETERM ISIRI ISBLANK
	ISLITERAL ISNUMERIC REGEX SUBSTR REPLACE TRUE FALSE
`);

/** Variables of the query after `?`, keywords after the first letters of a word. */
export function queryWords(
	document: vscode.TextDocument,
	position: vscode.Position,
): vscode.CompletionItem[] {
	const line = document.lineAt(position).text.slice(0, position.character);
	const [typed = ""] = /(?:^|(?<=[\s(){}!,;.|&=<>+*/-]))(?:[?$]\w*|[A-Za-z]\w*)$/.exec(line) ?? [];
	const here = document.offsetAt(position);
	const tokens = tokensOf(document.getText());
	if (typed === "" || tokens.some(({ kind, start, end }) => kind === "string" && start < here && here < end))
		return [];
	const isVariable = /^[?$]/.test(typed);
	const others = tokens.filter(({ kind, end }) => kind === "variable" && end !== here);
	const names = isVariable ? new Set(others.map(({ text }) => typed[0] + text.slice(1))) : WORDS;
	const { Variable, Keyword } = vscode.CompletionItemKind;
	return Array.from(names, (name) => {
		const item = new vscode.CompletionItem(name, isVariable ? Variable : Keyword);
		item.range = new vscode.Range(position.translate(0, -typed.length), position);
		// What the documents say comes first.
		item.sortText = `z${name}`;
		return item;
	});
}
