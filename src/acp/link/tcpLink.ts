import { once } from "node:events";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { Failure, messageOf } from "../../base/failure.ts";
import type { AgentLink } from "./acpClient.ts";

/** Connects to an agent server at `host:port`. Accepts only this computer, because the server needs no key. */
export async function connectToServer(address: string): Promise<AgentLink> {
	const [host, port] = parseAddress(address);
	const socket = connect({ host, port });
	try {
		await once(socket, "connect");
	} catch (thrown) {
		const message = `There is no answer from ${address}: ${messageOf(thrown)}. Start the server with “copilot --acp --port ${port}”, or clear the setting copilot-LD.cli.server.`;
		throw new Failure("CLI_MISSING", message);
	}
	const closed = Promise.withResolvers<string>();
	socket.on("error", (error) => closed.resolve(`the connection was lost: ${error.message}`));
	socket.once("close", () => closed.resolve("the connection was closed"));
	const { readable, writable } = Duplex.toWeb(socket);
	return {
		stream: ndJsonStream(writable, readable),
		closed: closed.promise,
		stop: async () => {
			socket.destroy();
		},
	};
}

function parseAddress(address: string): [host: string, port: number] {
	const { hostname, port } = URL.parse(`tcp://${address}`) ?? {};
	if (hostname && port && ["127.0.0.1", "localhost", "[::1]"].includes(hostname))
		return [hostname.replace(/[[\]]/g, ""), Number(port)];
	throw new Failure(
		"BAD_INPUT",
		`“${address}” is not the address of a server on this computer. Write it as 127.0.0.1:9931.`,
	);
}
