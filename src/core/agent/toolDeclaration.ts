export interface ToolDeclaration {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: object;
}
