/** Phrases to ask for prices. */
export const PRICE = {
	name: "Price",
	kind: "amount",
	more: ["cost more than {v}", "are more expensive than {v}"],
	less: ["cost less than {v}", "are cheaper than {v}"],
	least: "cost at least {v}",
	most: "most expensive",
	fewest: "cheapest",
	than: ["more expensive", "cheaper"],
	write: (value: number) => `${value.toLocaleString("en-US")} €`,
} as const;
