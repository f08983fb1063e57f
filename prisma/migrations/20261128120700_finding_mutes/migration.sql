-- CreateTable
CREATE TABLE "finding_mute" (
    "cloud_id" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "muted_by" TEXT NOT NULL,
    "muted_at" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "finding_mute_pkey" PRIMARY KEY ("cloud_id","code")
);

-- AddForeignKey
ALTER TABLE "finding_mute" ADD CONSTRAINT "finding_mute_cloud_id_fkey" FOREIGN KEY ("cloud_id") REFERENCES "cloud"("id") ON DELETE CASCADE ON UPDATE CASCADE;
