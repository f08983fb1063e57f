-- CreateTable
CREATE TABLE "api_alias" (
    "cloud_id" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "told_by" TEXT NOT NULL,
    "told_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_alias_pkey" PRIMARY KEY ("cloud_id")
);

-- AddForeignKey
ALTER TABLE "api_alias" ADD CONSTRAINT "api_alias_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
