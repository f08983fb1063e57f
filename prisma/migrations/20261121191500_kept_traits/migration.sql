-- CreateTable
CREATE TABLE "kept_trait" (
    "cloud_id" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "trait" TEXT NOT NULL,
    "pgpu_address" TEXT NOT NULL,
    "provider_name" TEXT NOT NULL,
    "type_id" TEXT NOT NULL,
    "type_name" TEXT NOT NULL,
    "provider_uuid" TEXT,
    "change_id" INTEGER NOT NULL,
    "kept_by" TEXT NOT NULL,
    "kept_at" TIMESTAMPTZ(3) NOT NULL,
    "intent_uuid" TEXT,
    "intent_at" TIMESTAMPTZ(3),
    "put_back_at" TIMESTAMPTZ(3),
    "put_back_count" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,

    CONSTRAINT "kept_trait_pkey" PRIMARY KEY ("cloud_id","host","address","trait")
);

-- AddForeignKey
ALTER TABLE "kept_trait" ADD CONSTRAINT "kept_trait_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
