import { MatchQuery } from "@lancedb/lancedb";
import { createAnalyzer, type QueryTerms } from "../../search/analyzer.ts";
import { idfOfScore } from "../../search/bm25.ts";
import type { Snapshot } from "../database/database.ts";
import { runQuery } from "../tables/query.ts";
import type { SampleReader } from "./lanceSample.ts";

/** A query as terms, and how telling these are. */
export interface AskedTerms {
	readonly asked: QueryTerms;
	/** 0 for a term that no passage has. */
	idfOf(term: string): number;
}

/** What is known holds until something is committed. */
interface Known {
	readonly snapshot: Snapshot;
	/** By term. */
	readonly idfs: Map<string, Promise<number>>;
}

export type TermReader = (query: string, snapshot: Snapshot) => Promise<AskedTerms>;

/** Reads queries with what LanceDB's full-text index knows of terms; it tells no more than the score of a passage with one. */
export function createTermReader(sampleOf: SampleReader): TermReader {
	const analyzer = createAnalyzer();
	let known: Known | undefined;
	return async (query, snapshot) => {
		if (known?.snapshot !== snapshot) known = { snapshot, idfs: new Map() };
		const { idfs } = known;
		const read = new Map<string, number>();
		const wanted = new Set<string>();
		// First as if no term were missing, to learn which ones matter.
		analyzer.queryTermsOf(query, (term) => wanted.add(term).size > 0);
		await look(wanted);
		const asked = analyzer.queryTermsOf(query, (term) => (read.get(term) ?? 0) > 0);
		const [english = []] = asked.readings;
		if (asked.language === undefined || asked.language === "en") await look(new Set(english));
		return { asked, idfOf: (term) => read.get(term) ?? 0 };

		async function look(terms: ReadonlySet<string>): Promise<void> {
			const all = Array.from(terms, async (term) => {
				const idf = idfs.get(term) ?? readIdf(term, snapshot);
				idfs.set(term, idf);
				read.set(term, await idf);
			});
			await Promise.all(all);
		}
	};

	async function readIdf(term: string, snapshot: Snapshot): Promise<number> {
		const query = snapshot.tables.passages.query().fullTextSearch(new MatchQuery(term, "terms"));
		const result = await runQuery(query.select(["terms", "_score"]).limit(1));
		const terms = String(result.getChild("terms")?.get(0) ?? "").split(" ");
		const count = terms.filter((other) => other === term).length;
		if (count === 0) return 0;
		const { terms: usual } = await sampleOf(snapshot);
		return idfOfScore(Number(result.getChild("_score")?.get(0)), { count, length: terms.length / usual });
	}
}
