import { once } from "node:events";
import { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import type { TestContext } from "node:test";

/** Lets the server listen on this machine until the test is over; returns its port. */
export async function portOf(t: Pick<TestContext, "after">, server: Server): Promise<number> {
	await once(server.listen(0, "127.0.0.1"), "listening");
	t.after(() => {
		server.close();
		if (server instanceof HttpServer) server.closeAllConnections();
	});
	return (server.address() as AddressInfo).port;
}
