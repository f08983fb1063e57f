-- CreateTable
CREATE TABLE "pgpu_cloud" (
    "host_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "advertised" INTEGER,
    "advertised_used" INTEGER,
    "stranded" INTEGER,
    "service_state" TEXT,
    "aggregates" TEXT[],
    "traits" TEXT[],
    "finding_code" TEXT,
    "finding_severity" TEXT,
    "finding" TEXT,

    CONSTRAINT "pgpu_cloud_pkey" PRIMARY KEY ("host_id","address")
);

-- AddForeignKey
ALTER TABLE "pgpu_cloud" ADD CONSTRAINT "pgpu_cloud_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
