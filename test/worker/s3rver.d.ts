/** Types of the parts that the tests use, because the package has none. */
declare module "s3rver" {
	class S3rver {
		constructor(options: {
			readonly port: number;
			readonly address: string;
			readonly silent: boolean;
			readonly directory: string;
			readonly configureBuckets: readonly { readonly name: string }[];
		});
		readonly store: {
			listObjects(
				bucket: string,
				options: { readonly prefix?: string; readonly delimiter?: string },
			): Promise<{
				readonly objects: readonly { readonly key: string }[];
				readonly commonPrefixes: readonly string[];
				readonly isTruncated: boolean;
			}>;
		};
		run(): Promise<{ readonly port: number }>;
		close(): Promise<void>;
	}
	export = S3rver;
}
