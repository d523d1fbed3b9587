/** Explanations of the tables, in Markdown. Figures are only in the tables, which the run writes. */
export const NOTES = `- **Shipped** is the search of the extension. It adds the BM25 score of title and text and the cosine of the built-in embedder, each as a share of its best score. Things that the query names raise a passage's score, also from one or two statements away in the graph. Last, passages similar to the best two rise.
- **Documents**: several matching passages raise a document above a document with a single good passage. Among long documents, a document of one passage counts .9.
- **Graphs**: a result is a thing or value one or two statements away from a thing that the question names, found without a model or SPARQL. Many questions of ck25 require calculations, and so a query.
- Relevance judgements are incomplete: an answer that nobody judged counts as wrong.
- [experiments.md](experiments.md) describes ideas that we tried.`;
