import { release, totalmem } from "node:os";

export function machineFacts() {
	const { platform, arch, versions } = process;
	return {
		versions: { node: versions.node },
		platform: { platform, arch, release: release(), memoryGb: Math.round(totalmem() / 1e9) },
	};
}
