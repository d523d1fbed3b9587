import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkAnswer } from "../../src/evidence/checkAnswer.ts";

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
	/** What is wrong with it. */
	readonly wrong: string | undefined;
	readonly lines: { readonly text: string; readonly titles: string[] };
}

/** `folder/path:lines | sentence | what is wrong with it`, each as a model may write it about these lines. */
function ofFiles(name: string): Written[] {
	const rows = readFileSync(join(own, `${name}.txt`), "utf8")
		.trim()
		.split("\n");
	return rows.map((row) => {
		const [source = "", sentence = "", wrong] = row.split(" | ");
		return { sentence, wrong, lines: textAt(source) };
	});
}

/** Pages, each with its lines or those of others that it names, then `+ sentence` and `- sentence | what is wrong`. */
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
		for (const line of readFileSync(join(data, `ir/${name}/docs.jsonl`), "utf8")
			.trim()
			.split("\n")) {
			const { id, text } = JSON.parse(line);
			paragraphs.set(`${name}:${id}`, text);
		}
	return paragraphs.get(source) ?? "";
}

function missingIn({ sentence, lines }: Omit<Written, "wrong">): readonly string[] {
	const [checked] = checkAnswer(`${sentence} [a.md:1]`, () => lines);
	return checked?.verdict.kind === "missing" ? checked.verdict.missing : [];
}

const WRITTEN = [
	["Es kostete 3,1 Mio. €.", "It cost €3.1 million", "standing"],
	["Es sind 180 Grad Celsius.", "It is 180 °C", "standing"],
	["It costs 35 cents.", "It costs €0.35", "standing"],
	["The tower is 99 metres high.", "The tower is 41 metres high", "missing"],
	["Walter Rietz kam.", "Anselm Rietz kam", "missing"],
	["Günter Rietz kam.", "Anselm Rietz kam", "missing"],
	["Alexander Rietz kam.", "Anselm Rietz kam", "missing"],
	["Es kostet 1,3 Mio. Mark.", "It cost 1.3 million marks", "standing"],
	["It cost 410,000 dollars.", "It cost 410,000 marks", "missing"],
	["It cost 410 marks.", "It cost 410,000 marks", "missing"],
	["It is 41 crowns.", "It is 41 metres", "missing"],
	["It has 41 storeys.", "It is 41 metres high", "missing"],
	["It costs €0.35.", "It costs 35 cents", "standing"],
	["It costs €0.53.", "It costs 35 cents", "missing"],
	["It is 31 cm wide.", "It is 0.3 m wide", "missing"],
	["It opens at 10.30 am.", "Es öffnet um 10:30 Uhr", "standing"],
	["It opens at half past ten.", "It opens at 10:30", "standing"],
	["It opens at half past nine.", "It opens at 10:30", "missing"],
	["It ended 20:18.", "They won 20-18", "standing"],
	["Call under 4431.", "Call 4413", "missing"],
	["Over 60 % came.", "61 % came", "standing"],
	["Über zwanzig Tonnen sind verboten.", "Über 12 Tonnen sind verboten", "missing"],
	["It came in March.", "It came in May", "missing"],
	["It opens on Wednesdays.", "It is open Mon 3 March, and Tuesday to Friday", "standing"],
	["It opens on Sundays.", "It is open Tuesday to Friday", "missing"],
	["It took 2 h 20 min.", "It took 140 minutes", "standing"],
	["It took 140 minutes.", "It began at 15:00 and ended at 17:20", "standing"],
	["Together they cost 52 euros.", "One costs 41 euros, the other 11 euros", "standing"],
	["Together they cost 54 euros.", "One costs 41 euros, the other 11 euros", "missing"],
	["The ascent of 29 % is a record.", "It rose from €2.4 million to €3.1 million", "standing"],
	["It was open from 1922 to 1926.", "open 1922–26", "standing"],
	["Peter Rietz kam.", "Anselm Rietz kam", "missing"],
	["Der CO2-Melder piept.", "Der Melder für Kohlendioxid piept", "standing"],
	["Lastwagen mit Anhänger sind zugelassen.", "Lastwagen mit Anhänger sind nicht zugelassen.", "missing"],
	["Ada Rhys came in 2018.", "| Ada Rhys | 2015 |\n| Bo Lund | 2018 |", "missing"],
	["Ada Rhys came in 2015.", "| Ada Rhys | 2015 |\n| Bo Lund | 2018 |", "standing"],
	["The Skylark has 165 horsepower.", "15,8,350,165,usa,Skylark\n18,8,318,150,usa,Satellite", "standing"],
	["The Skylark has 150 horsepower.", "15,8,350,165,usa,Skylark\n18,8,318,150,usa,Satellite", "missing"],
	["Devils Tower has 1,193 acres.", 'Devils Tower,Wyoming,"1,193"\nEl Morro,New Mexico,160', "standing"],
	["It has 1,234,567 readers.", "It has 1,234,567 readers, 2,345 writers,and 12 clerks", "standing"],
	["Es sind 1,5 kg.", "Mehl 1,5 kg, Zucker 2,5 kg, Salz 0,5 kg,Hefe", "standing"],
	["All got 70 m².", "| a | 30 m² | 4 m² |\n| b | 40 m² | 5 m² |", "standing"],
	["The tower is ٤١ metres high.", "41 metres", "standing"],
	["The tower is ４７ metres high.", "The tower is 41 metres high", "missing"],
	["It is 12–14 m high.", "between 12 and 14 metres", "standing"],
	["It is 12–15 m high.", "between 12 and 14 metres", "missing"],
	["It burned from 1902–1932.", "from 1902 until 1931", "missing"],
	["It says “he called it “the new lamp” once”.", "he called it “the old lamp” once", "missing"],
	["„Das Feuer ‚brennt‘“ steht da.", "Das Feuer ‚brennt‘", "standing"],
	["It weighs 1.500 g.", "1.5 kg", "standing"],
	["It is 5 °C.", "-15 °C", "missing"],
	["Er steht seit dem 19. Jahrhundert.", "first lit in 1861", "standing"],
	["Il date du 18e siècle.", "first lit in 1861", "missing"],
	["Take 50 g of rye and 300 g of wheat.", "- 300 g of rye\n- 50 g of wheat", "missing"],
	["Take 300 g of rye and 50 g of wheat.", "- 300 g of rye\n- 50 g of wheat", "standing"],
	["One way takes 6 hours, another 4 hours.", "One way takes 4 hours, another 6 hours", "missing"],
	["The fair is on Saturday.", "## Saturday\nConcert\n## Sunday\nFair", "missing"],
	["The fair is on Sunday.", "## Saturday\nConcert\n## Sunday\nFair", "standing"],
	["It burned from 1902 to 1931.", "It was lit in 1902 and burned until 1931.", "standing"],
	["It costs 20 euros a month.", "It costs 20 euros a year", "missing"],
	["It lasts three years.", "3 members are elected for 2 years", "missing"],
	["The shifts need 12 people in all.", "- Early: 3 people\n- Noon: 4 people\n- Late: 5 people", "standing"],
	["The shifts need 11 people in all.", "- Early: 3 people\n- Noon: 4 people\n- Late: 5 people", "missing"],
	["Bake it at 150 °C (302 °F).", "Bake it at 150 °C", "standing"],
	["Bake it at 150 °C (320 °F).", "Bake it at 150 °C", "missing"],
	["It takes half a teaspoon of salt.", "1/2 teaspoons of salt", "standing"],
	["It takes 0.2 litres of milk.", "{ name: milk, amount: 200, unit: ml }", "standing"],
	["It takes three years.", "It takes *three* years", "standing"],
	["It lasted 6 hours and 9 minutes.", "6h9m", "standing"],
	["They carried 66 pounds.", "They carried 30 kg", "standing"],
	["It opened on 24 September 1906.", "Opened: 9/24/06", "standing"],
	["Am Montag ist geöffnet.", "Mo, 23.12.2013, 10 bis 18 Uhr", "standing"],
	["The new lamp has a fixed place.", "The new lamp is brought as needed (no fixed place).", "missing"],
	["The new lamp has no fixed place.", "The new lamp is brought as needed (no fixed place).", "unjudged"],
	["The lamps are affected.", "The lamps are unaffected", "missing"],
	["Landing is forbidden here.", "No landing here", "unjudged"],
	["The tower is on the west bank.", "The tower is on the east bank", "missing"],
] as const;

for (const [sentence, text, verdict] of WRITTEN)
	test(`"${sentence}" is ${verdict} where the lines say "${text}"`, () => {
		const [checked] = checkAnswer(`${sentence} [a.md:1]`, () => ({ text, titles: [] }));
		assert.equal(checked?.verdict.kind, verdict);
	});

test("an answer made to take for ever is done with soon", { timeout: 30_000 }, () => {
	const bombs = [
		'"',
		"“",
		"A-1/",
		"January ",
		"12-",
		"1:",
		"am 1. ",
		"[a.md:1",
		"[a](",
		"A.",
		"A-",
		"1,",
		"**",
	];
	for (const bomb of [...bombs, '"a', "AAAA1", "| ", "> "]) {
		const text = bomb.repeat(50_000 / bomb.length);
		checkAnswer(`${text} Ida [a.md:1].`, () => ({ text: "x", titles: [] }));
	}
});

function given(): Written[] {
	const rows = readFileSync(join(data, "evidence/sentences.jsonl"), "utf8").trim().split("\n");
	return rows.map((row) => {
		const { sentence, lines: text, supported, kind } = JSON.parse(row);
		return { sentence, wrong: supported ? undefined : kind, lines: { text, titles: [] } };
	});
}

const SETS = [
	...["labelled", "heldOut", "inThreeLanguages", "everyday", "unseen"].map(
		(name) => [name, ofFiles, 0.9] as const,
	),
	["given", given, 0.9] as const,
	...["pages1", "pages2", "pages3", "pages4"].map((name) => [name, onPages, 0.8] as const),
];

for (const [name, sentences, recall] of SETS)
	test(`most of what it marks is wrong, and most of what is wrong is marked, also in sentences it was not made by: ${name}`, (t) => {
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
