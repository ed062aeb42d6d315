/** Creates the bucket of the S3_… environment (see docs of the configuration) on a fresh test server. */
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";

const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env;
const client = new S3Client({
	endpoint: S3_ENDPOINT,
	region: S3_REGION,
	forcePathStyle: true,
	credentials: { accessKeyId: S3_ACCESS_KEY_ID ?? "", secretAccessKey: S3_SECRET_ACCESS_KEY ?? "" },
});
await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET }));
