/** What a reader of the tables must know, in Markdown. Figures stand in the tables, which the run writes. */
export const NOTES = `## How to read this

- **Shipped** is what a search does: BM25 over title and text and the cosine of the built-in embedder, each as a share of its best score; a passage about something that the query names, or that is one or two statements away from it, is lifted. At last, passages near the middle of the best two are lifted as well. The collections are plain texts, so the graph has next to nothing to say about them: what it brings is in the tables about graphs and scenarios.
- **Likeness to the best** is Rocchio's feedback in the space of vectors, over what was found and without a second search. It helps where a question has several answers.
- **Documents**: a document in which several passages fit comes before one that has a single good one, by the best and a tenth, a twentieth and a fortieth of the next three; what a document is too short to have is taken to be .85 of its best, so that short documents lose nothing. Each further passage of a document counts .9 of the one before. A document of one passage counts .9 where the median has more than five.
- **Graphs**: a row is a thing or value that one or two statements lead to from what the question names, without a model and without SPARQL. Many questions of ck25 compute (sums, extremes, percentages): those need a query. A number is right where the listing counts what the gold query counts.
- **Scenarios**: a name counts wherever it stands, also in passing.
- A collection's relevance judgements are incomplete: an answer that nobody judged counts as wrong.
- [experiments.md](experiments.md) tells what was tried and dropped.`;
