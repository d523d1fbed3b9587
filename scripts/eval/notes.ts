/** Explanations of the tables, in Markdown. Figures are only in the tables, which the run writes. */
export const NOTES = `- **Shipped**: BM25 over title and text, and the cosine of the built-in embedder, each as a share of its best score. What the query names in the graph, or one or two statements away, is lifted; passages like the best two are lifted last.
- **Documents**: several fitting passages of a document lift it, so that it comes before one with a single good passage; documents of one passage count .9 among long ones.
- **Graphs**: a row is a thing or value one or two statements away from what the question names, without a model or SPARQL. Many questions of ck25 compute, and need a query.
- Relevance judgements are incomplete: an answer that nobody judged counts as wrong.
- [experiments.md](experiments.md) says what was tried and dropped.`;
