/** What `--help` prints. */
export function helpText(defaultData: string): string {
	return `Answers questions about the linked data and documents of a folder, over the Model Context Protocol on
standard input and output.

Usage: node mcp.cjs --workspace DIR [--workspace DIR …] [--data DIR] [--permissions DIR] [--exclude GLOB …]
                    [--graph-endpoint URL] [--text-only]

  --workspace DIR       a folder whose files are the knowledge; may be given several times
  --data DIR            where the index is kept. Give the folder that the VS Code extension uses to share its index
                        ("Copilot-LD: Copy MCP Configuration" knows it). Left out, it is a folder for this workspace in
                        ${defaultData}
  --permissions DIR     where the rules of permission and their log are. Give the folder that the VS Code extension uses
                        to follow its rules. Left out, every call is allowed: the tools only read
  --exclude GLOB        files that are not indexed, as in files.exclude; may be given several times
  --graph-endpoint URL  a SPARQL 1.1 endpoint that answers graph queries in place of the facts of the files
  --text-only           results without structuredContent, for clients that give it to the model instead of the text
                        with its citations, or besides
  --version             prints the version
  --help                prints this
`;
}
