import { BlockList, isIP } from "node:net";

const LOOPBACK = listOf("127.0.0.0/8", "::1/128");

/** Addresses of this machine and of the networks around it: no name that others give may lead there. */
const NEAR = listOf(
	...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
	...["192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3"],
	// The last three stand for addresses of the other kind.
	...[
		"::/96",
		"fc00::/7",
		"fe80::/10",
		"fec0::/10",
		"ff00::/8",
		"64:ff9b::/96",
		"64:ff9b:1::/48",
		"2002::/16",
	],
);

export function isNear(address: string): boolean {
	return isIn(NEAR, address);
}

export function isLoopback(address: string): boolean {
	return isIn(LOOPBACK, address);
}

function isIn(list: BlockList, address: string): boolean {
	const family = isIP(address);
	// What is no address leads nowhere that we know.
	return family === 0 || list.check(address, family === 6 ? "ipv6" : "ipv4");
}

function listOf(...networks: readonly string[]): BlockList {
	const list = new BlockList();
	for (const network of networks) {
		const [address = "", bits] = network.split("/");
		list.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
	}
	return list;
}
