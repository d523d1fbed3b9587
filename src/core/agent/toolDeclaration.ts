export interface ToolDeclaration {
	readonly name: string;
	readonly description: string;
	/** JSON Schema of the input. */
	readonly inputSchema: object;
}
