-- CreateTable
CREATE TABLE "expected_exhaustion" (
    "cloud_id" INTEGER NOT NULL,
    "dimension" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "told_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "expected_exhaustion_pkey" PRIMARY KEY ("cloud_id", "dimension", "key")
);

-- AddForeignKey
ALTER TABLE "expected_exhaustion" ADD CONSTRAINT "expected_exhaustion_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
