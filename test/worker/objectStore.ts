import type { TestContext } from "node:test";
import S3rver from "s3rver";
import { makeFolder } from "../support/folder.ts";

const BUCKET = "team";

/** Serves an object store with the S3 protocol locally. Returns the settings and secrets for a worker. */
export async function serveObjects(t: TestContext) {
	const directory = await makeFolder(t);
	const place = { port: 0, address: "127.0.0.1", silent: true, directory };
	const server = new S3rver({ ...place, configureBuckets: [{ name: BUCKET }] });
	listAsS3(server);
	const { port } = await server.run();
	t.after(() => server.close());
	const options = { endpoint: `http://127.0.0.1:${port}`, allow_http: "true", region: "us-east-1" };
	const secrets = () => "access_key_id=S3RVER secret_access_key=S3RVER";
	return { storage: { uri: `s3://${BUCKET}/index`, options }, secrets };
}

/** Lists prefixes that contain only other prefixes, such as tables: S3 does so, S3rver does not. */
function listAsS3({ store }: S3rver): void {
	const listAll = store.listObjects.bind(store);
	store.listObjects = async (bucket, { delimiter, ...options }) => {
		const all = await listAll(bucket, options);
		if (!delimiter) return all;
		const start = options.prefix?.length ?? 0;
		const endOf = (key: string) => key.indexOf(delimiter, start);
		const deeper = all.objects.filter(({ key }) => endOf(key) >= 0);
		const prefixes = new Set(deeper.map(({ key }) => key.slice(0, endOf(key) + 1)));
		const objects = all.objects.filter(({ key }) => endOf(key) < 0);
		return { ...all, objects, commonPrefixes: [...prefixes].sort() };
	};
}
