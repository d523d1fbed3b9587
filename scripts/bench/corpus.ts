import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Passage, Resource } from "../../src/core/knowledge/document.ts";
import type { NamedNode, Quad } from "../../src/core/knowledge/rdf.ts";
import type { StoredDocument } from "../../src/store/port/store.ts";
import { root } from "../paths.ts";
import { createRandom } from "./random.ts";

export const MODEL_FOLDER = join(root, "media", "model");

/** URI of the folder of the made documents, which do not exist as files. */
export const CORPUS_FOLDER = "file:///bench";

/** Number of questions for every engine. */
export const QUESTIONS = 200;

const PASSAGES_PER_DOCUMENT = 10;
const TOPICS = 300;
const WORDS_PER_TOPIC = 40;
/** One document in ten is linked data. */
const LINKED_EVERY = 10;

const CLASS = "http://bench.example/Thing";
const RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
const LABEL = "http://www.w3.org/2000/01/rdf-schema#label";
const STRING = "http://www.w3.org/2001/XMLSchema#string";
const PART_OF = "http://bench.example/partOf";

type MadeDocument = Omit<StoredDocument, "vectors" | "embedder">;

/** Makes documents and questions from words of the built-in model, always the same for a seed. */
export interface Corpus {
	/** The document with this number, from 0. It has ten passages; another `edition` has other words. */
	document(number: number, edition?: number): MadeDocument;
	/** Questions of two to eight words about one topic each. */
	questions(count: number): string[];
}

export function createCorpus(): Corpus {
	const words = knownWords();
	return {
		document: (number, edition = 0) => {
			const random = createRandom(1 + number * 7919 + edition * 104_729);
			const topic = Math.floor(random() * TOPICS);
			const texts = Array.from({ length: PASSAGES_PER_DOCUMENT }, () =>
				sentence(words, { topic, random, length: 60 + Math.floor(random() * 80) }),
			);
			const isLinked = number % LINKED_EVERY === 0;
			return isLinked ? linkedDocument(number, texts) : textDocument(number, texts);
		},
		questions: (count) => {
			const random = createRandom(77);
			return Array.from({ length: count }, () =>
				sentence(words, {
					topic: Math.floor(random() * TOPICS),
					random,
					length: 2 + Math.floor(random() * 7),
				}),
			);
		},
	};
}

/** Whole words of the model's vocabulary, in a seeded random order. */
function knownWords(): string[] {
	const { model } = JSON.parse(readFileSync(join(MODEL_FOLDER, "tokenizer.json"), "utf8"));
	const words = Object.keys(model.vocab).filter((word) => /^[a-z]{4,}$/.test(word));
	const random = createRandom(5);
	const keys = new Map(words.map((word) => [word, random()]));
	return words.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
}

interface Recipe {
	readonly topic: number;
	readonly random: () => number;
	readonly length: number;
}

/** Draws half of the words from the topic, and the others by Zipf's law: the n-th at a rate of 1 / n. */
function sentence(words: readonly string[], { topic, random, length }: Recipe): string {
	const pick = () => {
		const isOfTopic = random() < 0.5;
		const zipf = Math.floor((isOfTopic ? WORDS_PER_TOPIC : words.length) ** random());
		return words[isOfTopic ? (topic * WORDS_PER_TOPIC + zipf) % words.length : zipf % words.length];
	};
	return Array.from({ length }, pick).join(" ");
}

function textDocument(number: number, texts: readonly string[]): MadeDocument {
	const title = `Notes ${number}`;
	const passages = texts.map((text, at): Passage => ({ title, text, lines: linesOf(at) }));
	return { record: recordOf(number, title, { passages }), passages, resources: [], quads: [] };
}

function linkedDocument(number: number, texts: readonly string[]): MadeDocument {
	const title = `Things ${number}`;
	const idOf = (at: number) => `http://bench.example/${number}/${at}`;
	const labels = texts.map((text) => text.split(" ").slice(0, 3).join(" "));
	const resources = labels.map(
		(label, at): Resource => ({ id: idOf(at), types: [CLASS], label, lines: linesOf(at) }),
	);
	const passages = texts.map(
		(text, at): Passage => ({ title: `Thing ${labels[at]}`, text, lines: linesOf(at), resource: idOf(at) }),
	);
	const quads = labels.flatMap((label, at): Quad[] => {
		const about = { subject: named(idOf(at)), lines: linesOf(at) };
		return [
			{ ...about, predicate: named(RDF_TYPE), object: named(CLASS) },
			{
				...about,
				predicate: named(LABEL),
				object: { termType: "Literal", value: label, datatype: STRING },
			},
			{ ...about, predicate: named(PART_OF), object: named(idOf((at + 1) % texts.length)) },
		];
	});
	return { record: recordOf(number, title, { passages, resources, quads }), passages, resources, quads };
}

function named(value: string): NamedNode {
	return { termType: "NamedNode", value };
}

function linesOf(at: number): Passage["lines"] {
	return { start: 3 * at + 1, end: 3 * at + 2 };
}

function recordOf(
	number: number,
	title: string,
	{ passages, resources = [], quads = [] }: Partial<MadeDocument>,
): StoredDocument["record"] {
	return {
		uri: `${CORPUS_FOLDER}/${Math.floor(number / 100)}/${number}.md`,
		format: "markdown",
		hash: `${number}`,
		size: 6400,
		modifiedMs: 1000,
		state: { kind: "indexed" },
		title,
		passages: passages?.length ?? 0,
		resources: resources.length,
		quads: quads.length,
		problems: [],
	};
}
