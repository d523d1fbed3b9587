import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkAnswer } from "../../src/evidence/checkAnswer.ts";
import { listed } from "../support/listed.ts";

const root = join(import.meta.dirname, "../..");
const { COPILOT_LD_DATA: data = join(root, "../shared/data") } = process.env;
const own = join(import.meta.dirname, "sentences");
const FOLDERS: Readonly<Record<string, string>> = {
	sample: join(root, "media/sample"),
	bionova: join(data, "pages/bionova"),
	everyday: join(data, "everyday/folders"),
	own,
};
const isComplete = existsSync(data);
const NO_DATA = `there is no ${data}`;

interface Written {
	readonly sentence: string;
	/** The kind of mistake; `undefined` if the sentence is correct. */
	readonly wrong: string | undefined;
	readonly lines: { readonly text: string; readonly titles: string[] };
}

function rowsOf(...path: readonly string[]): string[] {
	return readFileSync(join(...path), "utf8")
		.trim()
		.split("\n");
}

/** Reads rows of `folder/path:lines | sentence | mistake`. The sentences imitate a model's. */
function ofFiles(name: string): Written[] {
	return rowsOf(own, `${name}.txt`).map((row) => {
		const [source = "", sentence = "", wrong] = row.split(" | ");
		return { sentence, wrong, lines: textAt(source) };
	});
}

/** Reads pages: the lines, or a reference to them, then rows of `+ sentence` or `- sentence | mistake`. */
function onPages(name: string): Written[] {
	const pages = readFileSync(join(own, `${name}.txt`), "utf8")
		.split(/^# (?!#)/m)
		.slice(1);
	return pages.flatMap((page) => {
		const [source = "", ...rows] = page.trimEnd().split("\n");
		const said = rows.map((row) => /^\+ (.*)|^- (.*) \| (\w+)$/.exec(row));
		const text = rows.filter((_, index) => !said[index]).join("\n");
		const lines = { text: source.startsWith("xquad") ? paragraphOf(source) : text, titles: [] };
		return said.flatMap((match) =>
			match ? { sentence: match[1] ?? match[2] ?? "", wrong: match[3], lines } : [],
		);
	});
}

const paragraphs = new Map<string, string>();

function textAt(source: string) {
	const [, folder = "", path = "", start, end] = /^(\w+)\/(.*):(\d+)-(\d+)$/.exec(source) ?? [];
	if (folder === "") return { text: paragraphOf(source), titles: [] };
	const all = readFileSync(join(FOLDERS[folder] ?? "", path), "utf8").split("\n");
	const title = /<title>(.*?)<|^title: (.*)/m.exec(all.join("\n"));
	const text = all.slice(Number(start) - 1, Number(end)).join("\n");
	return { text, titles: [title?.[1] ?? title?.[2] ?? ""] };
}

function paragraphOf(source: string): string {
	for (const name of paragraphs.size === 0 ? ["xquad-de", "xquad-en"] : [])
		for (const line of rowsOf(data, `ir/${name}/docs.jsonl`)) {
			const { id, text } = JSON.parse(line);
			paragraphs.set(`${name}:${id}`, text);
		}
	return paragraphs.get(source) ?? "";
}

function missingIn({ sentence, lines }: Omit<Written, "wrong">): readonly string[] {
	const [checked] = checkAnswer(`${sentence} [a.md:1]`, () => lines);
	return checked?.verdict.kind === "missing" ? checked.verdict.missing : [];
}

const VERDICTS: Readonly<Record<string, readonly [kind: string, words: string]>> = {
	"+": ["standing", "supported"],
	"-": ["missing", "not supported"],
	"?": ["unjudged", "not judged"],
};

/** Cited lines, and sentences that the lines support (`+`), do not support (`-`), or leave unjudged (`?`). */
const WRITTEN: readonly (readonly [text: string, ...sentences: readonly string[]])[] = [
	["It cost €3.1 million", "+ Es kostete 3,1 Mio. €."],
	["It is 180 °C", "+ Es sind 180 Grad Celsius."],
	["It costs €0.35", "+ It costs 35 cents."],
	["The tower is 41 metres high", "- The tower is 99 metres high.", "- The tower is ４７ metres high."],
	["Anselm Rietz kam", "- Walter Rietz kam.", "- Günter Rietz kam.", "- Alexander Rietz kam."],
	["Anselm Rietz kam", "- Peter Rietz kam."],
	["It cost 1.3 million marks", "+ Es kostet 1,3 Mio. Mark."],
	["It cost 410,000 marks", "- It cost 410,000 dollars.", "- It cost 410 marks."],
	["It is 41 metres", "- It is 41 crowns."],
	["It is 41 metres high", "- It has 41 storeys."],
	["It costs 35 cents", "+ It costs €0.35.", "- It costs €0.53."],
	["It is 0.3 m wide", "- It is 31 cm wide."],
	["Es öffnet um 10:30 Uhr", "+ It opens at 10.30 am."],
	["It opens at 10:30", "+ It opens at half past ten.", "- It opens at half past nine."],
	["They won 20-18", "+ It ended 20:18."],
	["Call 4413", "- Call under 4431."],
	["61 % came", "+ Over 60 % came."],
	["Über 12 Tonnen sind verboten", "- Über zwanzig Tonnen sind verboten."],
	["It came in May", "- It came in March."],
	["It is open Mon 3 March, and Tuesday to Friday", "+ It opens on Wednesdays."],
	["It is open Tuesday to Friday", "- It opens on Sundays."],
	["It took 140 minutes", "+ It took 2 h 20 min."],
	["It began at 15:00 and ended at 17:20", "+ It took 140 minutes."],
	["One costs 41 euros, the other 11 euros", "+ Together they cost 52 euros."],
	["One costs 41 euros, the other 11 euros", "- Together they cost 54 euros."],
	["It rose from €2.4 million to €3.1 million", "+ The ascent of 29 % is a record."],
	["open 1922–26", "+ It was open from 1922 to 1926."],
	["Der Melder für Kohlendioxid piept", "+ Der CO2-Melder piept."],
	["Lastwagen mit Anhänger sind nicht zugelassen.", "- Lastwagen mit Anhänger sind zugelassen."],
	["| Ada Rhys | 2015 |\n| Bo Lund | 2018 |", "- Ada Rhys came in 2018.", "+ Ada Rhys came in 2015."],
	["15,8,350,165,usa,Skylark\n18,8,318,150,usa,Satellite", "+ The Skylark has 165 horsepower."],
	["15,8,350,165,usa,Skylark\n18,8,318,150,usa,Satellite", "- The Skylark has 150 horsepower."],
	['Devils Tower,Wyoming,"1,193"\nEl Morro,New Mexico,160', "+ Devils Tower has 1,193 acres."],
	["It has 1,234,567 readers, 2,345 writers,and 12 clerks", "+ It has 1,234,567 readers."],
	["Mehl 1,5 kg, Zucker 2,5 kg, Salz 0,5 kg,Hefe", "+ Es sind 1,5 kg."],
	["| a | 30 m² | 4 m² |\n| b | 40 m² | 5 m² |", "+ All got 70 m²."],
	["41 metres", "+ The tower is ٤١ metres high."],
	["between 12 and 14 metres", "+ It is 12–14 m high.", "- It is 12–15 m high."],
	["from 1902 until 1931", "- It burned from 1902–1932."],
	["he called it “the old lamp” once", "- It says “he called it “the new lamp” once”."],
	["Das Feuer ‚brennt‘", "+ „Das Feuer ‚brennt‘“ steht da."],
	["1.5 kg", "+ It weighs 1.500 g."],
	["-15 °C", "- It is 5 °C."],
	["first lit in 1861", "+ Er steht seit dem 19. Jahrhundert.", "- Il date du 18e siècle."],
	["- 300 g of rye\n- 50 g of wheat", "- Take 50 g of rye and 300 g of wheat."],
	["- 300 g of rye\n- 50 g of wheat", "+ Take 300 g of rye and 50 g of wheat."],
	["One way takes 4 hours, another 6 hours", "- One way takes 6 hours, another 4 hours."],
	["## Saturday\nConcert\n## Sunday\nFair", "- The fair is on Saturday.", "+ The fair is on Sunday."],
	["It was lit in 1902 and burned until 1931.", "+ It burned from 1902 to 1931."],
	["It costs 20 euros a year", "- It costs 20 euros a month."],
	["3 members are elected for 2 years", "- It lasts three years."],
	["- Early: 3 people\n- Noon: 4 people\n- Late: 5 people", "+ The shifts need 12 people in all."],
	["- Early: 3 people\n- Noon: 4 people\n- Late: 5 people", "- The shifts need 11 people in all."],
	["Bake it at 150 °C", "+ Bake it at 150 °C (302 °F).", "- Bake it at 150 °C (320 °F)."],
	["1/2 teaspoons of salt", "+ It takes half a teaspoon of salt."],
	["{ name: milk, amount: 200, unit: ml }", "+ It takes 0.2 litres of milk."],
	["It takes *three* years", "+ It takes three years."],
	["6h9m", "+ It lasted 6 hours and 9 minutes."],
	["They carried 30 kg", "+ They carried 66 pounds."],
	["Opened: 9/24/06", "+ It opened on 24 September 1906."],
	["Mo, 23.12.2013, 10 bis 18 Uhr", "+ Am Montag ist geöffnet."],
	["The new lamp is brought as needed (no fixed place).", "- The new lamp has a fixed place."],
	["The new lamp is brought as needed (no fixed place).", "? The new lamp has no fixed place."],
	["It opened on 3 February 1912", "+ It opened on 3 Feb 1912.", "- It opened on 3 Mar 1912."],
	["He runs Saint Orrin's Museum", "+ It is St. Orrin's Museum."],
	["the eastern oncology center", "+ It is at the Eastern Oncology Center."],
	["The lamps are unaffected", "- The lamps are affected."],
	["No landing here", "? Landing is forbidden here."],
	["The tower is on the east bank", "- The tower is on the west bank."],
];

for (const [text, ...sentences] of WRITTEN)
	for (const marked of sentences) {
		const [sentence, [kind, words] = []] = [marked.slice(2), VERDICTS[marked.charAt(0)]];
		test(`"${sentence}" is ${words} by the cited lines "${text}"`, () => {
			const [checked] = checkAnswer(`${sentence} [a.md:1]`, () => ({ text, titles: [] }));
			assert.equal(checked?.verdict.kind, kind);
		});
	}

test("an answer crafted to be slow is checked quickly", { timeout: 30_000 }, () => {
	const bombs = '"·“·A-1/·January ·12-·1:·am 1. ·[a.md:1·[a](·A.·A-·1,·**·"a·AAAA1·| ·> ';
	for (const bomb of bombs.split("·")) {
		const text = bomb.repeat(50_000 / bomb.length);
		checkAnswer(`${text} Ida [a.md:1].`, () => ({ text: "x", titles: [] }));
	}
});

function given(): Written[] {
	return rowsOf(data, "evidence/sentences.jsonl").map((row) => {
		const { sentence, lines: text, supported, kind } = JSON.parse(row);
		return { sentence, wrong: supported ? undefined : kind, lines: { text, titles: [] } };
	});
}

const SETS = [
	...listed("heldOut | inThreeLanguages | everyday | unseen").map((name) => [name, ofFiles] as const),
	["given", given] as const,
	...listed("pages1 | pages2 | pages3 | pages4").map((name) => [name, onPages, 0.8] as const),
];

for (const [name, sentences, recall = 0.9] of SETS)
	test(`the check finds most wrong sentences of the set ${name} and rarely marks correct ones`, (t) => {
		if (!isComplete) return t.skip(NO_DATA);
		const all = sentences(name).map((each) => ({ ...each, marked: missingIn(each) }));
		const marked = all.filter((each) => each.marked.length > 0);
		const hits = marked.filter(({ wrong }) => wrong).length;
		const wrong = all.filter((each) => each.wrong).length;
		for (const each of all)
			if (each.marked.length > 0 !== Boolean(each.wrong)) t.diagnostic(`${each.sentence} ${each.marked}`);
		t.diagnostic(`precision ${hits}/${marked.length}, recall ${hits}/${wrong}, of ${all.length}`);
		assert.ok(hits / marked.length >= 0.92);
		assert.ok(hits / wrong >= recall);
	});
