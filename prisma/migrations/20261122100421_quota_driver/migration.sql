-- CreateTable
CREATE TABLE "quota_driver" (
    "cloud_id" INTEGER NOT NULL,
    "driver" TEXT NOT NULL,
    "told_by" TEXT NOT NULL,
    "told_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quota_driver_pkey" PRIMARY KEY ("cloud_id")
);

-- AddForeignKey
ALTER TABLE "quota_driver" ADD CONSTRAINT "quota_driver_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
