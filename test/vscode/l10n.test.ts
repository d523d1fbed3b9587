import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { describeHooks } from "../../src/acp/loads/readers.ts";
import { Failure } from "../../src/base/failure.ts";
import { describeRule } from "../../src/core/permission/ruleText.ts";
import { told, toldOf, translated } from "../../src/vscode/l10n.ts";
import { toldDecision, toldTranscript } from "../../src/vscode/sessionsView/exportSession.ts";
import { oneDecision, oneRule } from "../support/fakePermissions.ts";
import { env, l10n } from "../support/fakeVscode.ts";
import { oneSession, oneTurn } from "../webview/fakeSessions.ts";

before(() => {
	assert.equal(translated("There is no such file."), "There is no such file.");
	env.language = "de";
	l10n.bundle = JSON.parse(readFileSync("l10n/bundle.l10n.de.json", "utf8"));
});

test("in a German window, program messages are translated, but not the values in them, nor unknown texts", () => {
	for (const [english, german] of Object.entries({
		"no reader for .png files": "kein Leseprogramm für .png-Dateien",
		"It is not in the index: larger than 20 MB.": "Sie ist nicht im Index: größer als 20 MB.",
		"It is not in the index: .gitignore excludes it.": "Sie ist nicht im Index: .gitignore schließt sie aus.",
		"at least 1,234 passages contain all search words": "mindestens 1.234 Passagen enthalten alle Suchwörter",
		"It is in the index, read as json-ld: 2 passages, 1 resource, 3 statements. Part of it could not be read: line 4: This is not JSON: a string does not end. (and 2 more)":
			"Sie ist im Index, gelesen als json-ld: 2 Passagen, 1 Ressource, 3 Aussagen. Ein Teil davon konnte nicht gelesen werden: Zeile 4: Das ist kein JSON: Eine Zeichenfolge endet nicht. (und 2 weitere)",
	}))
		assert.equal(translated(english), german);
	const thrown = new Failure("NOT_FOUND", "a.{0}$&.md is not in the index: There is no such file..");
	assert.equal(toldOf(thrown), "a.{0}$&.md ist nicht im Index: Diese Datei gibt es nicht..");
	for (const text of ["", "…", "ENOENT: no such file", "a".repeat(100_000), `${"x, ".repeat(700)}`])
		assert.equal(translated(text), text);
});

test("rules and hook commands are described in German, with verbatim values", () => {
	const argument = { kind: "command", value: "ready, {0} and done" } as const;
	const denied = oneRule("a", { effect: "deny", scope: "session", tool: "shell", argument });
	const german = "verweigern, Tool shell, Befehl „ready, {0} and done“, in dieser Sitzung";
	assert.equal(told(describeRule(denied)), german);
	assert.equal(told(describeRule(oneRule("a", { effect: "ask" }))), "nachfragen, alles");
	const hooks = { preToolUse: [{ matcher: "bash", bash: "done, and ready", env: { A: "error" } }] };
	const [first] = describeHooks(hooks).map(told);
	assert.equal(first, 'preToolUse (für bash) führt aus: done, and ready, env: {"A":"error"}');
});

test("call titles in the log and notices of stored turns are translated; a model's thoughts are not", () => {
	const decision = oneDecision({}, "Run the agent reviewer: “Look at it, and done”");
	assert.equal(toldDecision(decision).request.title, "Den Agent reviewer ausführen: „Look at it, and done“");
	const events = [
		{ kind: "notice", text: "There is no such file." },
		{ kind: "permission", tool: "read", title: "Read the file “/a.md”", effect: "allow", by: "rule" },
		{ kind: "thought", text: "There is no such file." },
	] as const;
	const { session } = oneSession(0);
	const told = toldTranscript({ session, turns: [oneTurn(0, { events })] }).turns[0]?.events;
	const [notice, title] = [{ kind: "notice", text: "Diese Datei gibt es nicht." }, "Die Datei „/a.md“ lesen"];
	assert.deepEqual(told, [notice, { ...events[1], title }, events[2]]);
});
