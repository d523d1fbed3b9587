/** Types of the parts that the tests use, because the package has none. */
declare module "s3rver" {
	interface Listing {
		readonly objects: readonly { readonly key: string }[];
		readonly commonPrefixes: readonly string[];
	}
	class S3rver {
		constructor(options: object);
		readonly store: {
			listObjects(bucket: string, options: { prefix?: string; delimiter?: string }): Promise<Listing>;
		};
		run(): Promise<{ readonly port: number }>;
		close(): Promise<void>;
	}
	export = S3rver;
}
