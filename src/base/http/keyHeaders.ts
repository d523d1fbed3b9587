/** How a server of OpenAI's protocol is sent its key. */
export function keyHeaders(hostname: string, key: string): Readonly<Record<string, string>> {
	return hostname.endsWith(".azure.com") ? { "api-key": key } : { authorization: `Bearer ${key}` };
}
