export function pluginHead(artifact: string, info: string, type: "plugin" | "copilot" = "plugin"): string {
	return `group_id: g
artifact_id: ${artifact}
version: 1.0.0
type: ${type}
as_plugin: true
info: { ${info} }
`;
}
